import { holderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { getAdminHolder, getAdminHolderPage } from './admin-holder-rules.ts';
import { listOwnedNfts } from './holder-queries.ts';
import { changePrimaryNft, getHolder, requireAdministrator, requireHolder } from './holder-rules.ts';

export function bindHolders(binder: OperationBinder, database: Database): void {
  binder.bind(holderOperations.getHolder, ({ scope }) => getHolder(database, requireHolder(scope)));
  binder.bind(holderOperations.listNfts, async ({ scope }) => ({
    nfts: await listOwnedNfts(database, requireHolder(scope)),
  }));
  binder.bind(holderOperations.changePrimaryNft, ({ scope, body }) =>
    changePrimaryNft(database, requireHolder(scope), body.tokenId),
  );
  binder.bind(
    holderOperations.listAdminHolders,
    ({ scope, query }) => getAdminHolderPage(database, requireAdministrator(scope), query),
    { readsReplica: true },
  );
  binder.bind(
    holderOperations.getAdminHolder,
    ({ scope, parameters }) => getAdminHolder(database, requireAdministrator(scope), parameters.holderId),
    { readsReplica: true },
  );
}
