import { holderOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getAdminHolder, getAdminHolderPage } from './admin-holder-rules.ts';
import { listNftsThatOwn, listOwnedNfts } from './holder-queries.ts';
import { changePrimaryNft, getHolder } from './holder-rules.ts';

export function addHolderRoutes(router: OperationRouter, database: Database): void {
  router.add(holderOperations.getHolder, ({ scope }) => getHolder(database, scope));
  router.add(holderOperations.listNfts, async ({ scope, query: { owns } }) => ({
    nfts: await (owns === undefined
      ? listOwnedNfts(database, scope)
      : listNftsThatOwn(database, scope, owns)),
  }));
  router.add(holderOperations.changePrimaryNft, ({ scope, body }) =>
    changePrimaryNft(database, scope, body.tokenId),
  );
  router.add(
    holderOperations.listAdminHolders,
    ({ scope, query }) => getAdminHolderPage(database, scope, query),
    { readsReplica: true },
  );
  router.add(
    holderOperations.getAdminHolder,
    ({ scope, parameters }) => getAdminHolder(database, scope, parameters.holderId),
    { readsReplica: true },
  );
}
