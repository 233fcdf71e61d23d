import { keyOperations } from '@keyfront/protocol';
import { waitForCommittedChanges } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { changeKey, createKey, getKeyPage, revokeKey, rotateKey } from './key-rules.ts';

export function addKeyRoutes(router: OperationRouter, database: Database): void {
  router.add(keyOperations.createKey, ({ scope, body, tx }) => createKey(tx, scope, body), {
    securityEvent: 'key.created',
  });
  router.add(keyOperations.listKeys, ({ scope, query }) => getKeyPage(database, scope, query));
  router.add(
    keyOperations.updateKey,
    ({ scope, parameters, body }) => changeKey(database, scope, parameters.id, body),
    { securityEvent: 'key.changed' },
  );
  router.add(
    keyOperations.rotateKey,
    ({ scope, parameters, body, tx }) => rotateKey(tx, database, scope, parameters.id, body),
    { securityEvent: 'key.rotated', after: () => waitForCommittedChanges(database) },
  );
  router.add(keyOperations.revokeKey, ({ scope, parameters }) => revokeKey(database, scope, parameters.id), {
    securityEvent: 'key.revoked',
  });
}
