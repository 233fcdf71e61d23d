import {
  type AdminHolder,
  type AdminHolderDetails,
  type AdminHolderListQuery,
  type AdminHolderPage,
  holderTakeOf,
  maximumHolderRows,
  uuidForm,
} from '@keyfront/protocol';
import { notFound, validationFailed } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/scope.ts';
import { type AdminHolderRecord, findAdminHolder, listAdminHolders } from './admin-holder-queries.ts';
import { describeHolder } from './holder-rules.ts';

/** Gets one page of the holders of the platform. */
export async function getAdminHolderPage(
  database: Database,
  scope: AdministratorScope,
  query: AdminHolderListQuery,
): Promise<AdminHolderPage> {
  const take = holderTakeOf(query);
  const filter = {
    walletAddress: query.walletAddress?.toLowerCase() || null,
    tokenId: query.tokenId || null,
  };
  const found = await listAdminHolders(database, scope, filter, readCursor(query.cursor), take + 1);
  const holders = found.slice(0, take);
  const hasNextPage = found.length > take;
  return {
    holders: holders.map(({ tokenIds, ...holder }) => ({ ...describeAdminHolder(holder), tokenIds })),
    pageMetaDto: { take, hasNextPage, nextCursor: hasNextPage ? (holders.at(-1)?.id ?? null) : null },
  };
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
  return { ...describeAdminHolder(holder), nfts, keys };
}

/** The cursor of a page is the id of its last holder. */
function readCursor(cursor: string | undefined): string | null {
  if (!cursor) return null;
  if (!uuidForm.test(cursor)) throw validationFailed(['cursor must be a nextCursor of this list']);
  return cursor;
}

function describeAdminHolder({
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
    ...describeHolder(holder),
    nftCount,
    counts: isCounted ? { clients, orders, webhooks, apiKeys } : null,
    lastActiveAt,
  };
}
