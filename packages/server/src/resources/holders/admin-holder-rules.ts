import {
  type AdminHolder,
  type AdminHolderDetails,
  type AdminHolderListQuery,
  type AdminHolderPage,
  holderTakeOf,
  maximumHolderRows,
  uuidForm,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { notFound, validationFailed } from '../../lib/errors/api-error.ts';
import {
  type AdminHolderRecord,
  findAdminHolder,
  listHoldersByToken,
  listHoldersByWallet,
  listNewestHolders,
} from './admin-holder-queries.ts';
import { toHolder } from './holder-rules.ts';

/** Gets one page of the holders of the platform. */
export async function getAdminHolderPage(
  database: Database,
  scope: AdministratorScope,
  query: AdminHolderListQuery,
): Promise<AdminHolderPage> {
  const take = holderTakeOf(query);
  const found = await listHolders(database, scope, query, take + 1);
  const holders = found.slice(0, take);
  const last = holders.at(-1);
  const place = query.walletAddress ? last?.walletAddress : last?.id;
  const hasNextPage = found.length > take;
  return {
    holders: holders.map(({ tokenIds, ...holder }) => ({ ...toAdminHolder(holder), tokenIds })),
    pageMetaDto: { take, hasNextPage, nextCursor: hasNextPage ? (place ?? null) : null },
  };
}

/** Lists holders by the sort of their filter. A cursor is the wallet or the id of the last holder of a page. */
async function listHolders(
  database: Database,
  scope: AdministratorScope,
  { walletAddress, tokenId, cursor }: AdminHolderListQuery,
  take: number,
): Promise<AdminHolderRecord[]> {
  const walletPrefix = walletAddress?.toLowerCase() ?? '';
  const after = readCursor(cursor, walletPrefix ? walletForm : uuidForm);
  // A digital key has one holder, so there is no second page.
  if (tokenId) return after ? [] : listHoldersByToken(database, scope, tokenId, walletPrefix);
  return walletPrefix
    ? listHoldersByWallet(database, scope, walletPrefix, after ?? '', take)
    : listNewestHolders(database, scope, after, take);
}

/** Gets a holder with their digital keys and API keys, or throws the 404. */
export async function getAdminHolder(
  database: Database,
  scope: AdministratorScope,
  holderId: string,
): Promise<AdminHolderDetails> {
  const found = await findAdminHolder(database, scope, holderId);
  if (!found) throw notFound('Holder');
  const { nfts, keys, tokenIds: _tokenIds, ...holder } = found;
  return { ...toAdminHolder(holder), nfts, keys };
}

const walletForm = /^0x[0-9a-f]{40}$/;

function readCursor(cursor: string | undefined, form: RegExp): string | null {
  if (!cursor) return null;
  if (!form.test(cursor)) throw validationFailed(['cursor must be a nextCursor of this list']);
  return cursor;
}

function toAdminHolder({
  nftCount,
  clients,
  orders,
  webhooks,
  apiKeys,
  lastActiveAt,
  ...holder
}: Omit<AdminHolderRecord, 'tokenIds'>): Omit<AdminHolder, 'tokenIds'> {
  const isCounted = nftCount <= maximumHolderRows;
  return {
    ...toHolder(holder),
    nftCount,
    counts: isCounted ? { clients, orders, webhooks, apiKeys } : null,
    lastActiveAt,
  };
}
