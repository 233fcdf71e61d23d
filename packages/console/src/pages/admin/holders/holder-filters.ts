import type { AdminHolderListQuery } from '@keyfront/sdk';
import { readText, removeAbsent } from '../../../filters/read-filter.ts';

/** The filters of the list that stand in its URL. */
export interface HolderFilters {
  readonly search?: string;
}

/** The filters of a URL. What is not one is left out. */
export function readHolderFilters(search: Record<string, unknown>): HolderFilters {
  return removeAbsent({ search: readText(search.search) });
}

/** The query of a search: digits are a digital key, and `0x` begins a wallet, whole or in part. Null if the text is neither. */
export function readHolderSearch(
  search: string,
): Pick<AdminHolderListQuery, 'tokenId' | 'walletAddress'> | null {
  const text = search.trim();
  if (text === '') return {};
  const [, tokenId] = /^#?(\d{1,16})$/.exec(text) ?? [];
  if (tokenId !== undefined) return { tokenId };
  return /^0x[0-9a-f]{0,40}$/i.test(text) ? { walletAddress: `0x${text.slice(2)}` } : null;
}
