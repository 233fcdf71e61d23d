import { readTokenId, removeAbsent } from '../../../filters/read-filter.ts';
import { type ClientFilters, readClientFilters } from '../../clients/client-filters.ts';

/** The filters of the list that stand in its URL. */
export type AdminClientFilters = ClientFilters & { readonly tokenId?: string };

/** The filters of a URL. What is not one is left out. */
export function readAdminClientFilters(search: Record<string, unknown>): AdminClientFilters {
  return { ...readClientFilters(search), ...removeAbsent({ tokenId: readTokenId(search.tokenId) }) };
}
