import type { CartListQuery } from '@keyfront/sdk';
import { readText, removeAbsent } from '../../filters/read-filter.ts';

/** The filters of the list that stand in its URL. */
export type CartFilters = Pick<CartListQuery, 'search'>;

/** The filters of a URL. What is not one is left out. */
export function readCartFilters({ search }: Record<string, unknown>): CartFilters {
  return removeAbsent({ search: readText(search) });
}
