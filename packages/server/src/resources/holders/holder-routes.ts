import { holderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getAdminHolder, getAdminHolderPage } from './admin-holder-rules.ts';
import { listOwnedNfts } from './holder-queries.ts';
import { changePrimaryNft, getHolder, requireAdministrator, requireHolder } from './holder-rules.ts';

export function addHolderRoutes(router: OperationRouter, database: Database): void {
  router.add(holderOperations.getHolder, ({ scope }) => getHolder(database, requireHolder(scope)));
  router.add(holderOperations.listNfts, async ({ scope }) => ({
    nfts: await listOwnedNfts(database, requireHolder(scope)),
  }));
  router.add(holderOperations.changePrimaryNft, ({ scope, body }) =>
    changePrimaryNft(database, requireHolder(scope), body.tokenId),
  );
  router.add(
    holderOperations.listAdminHolders,
    ({ scope, query }) => getAdminHolderPage(database, requireAdministrator(scope), query),
    { readsReplica: true },
  );
  router.add(
    holderOperations.getAdminHolder,
    ({ scope, parameters }) => getAdminHolder(database, requireAdministrator(scope), parameters.holderId),
    { readsReplica: true },
  );
}
