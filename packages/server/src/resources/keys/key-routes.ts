import { keyOperations } from '@keyfront/protocol';
import { waitForCommittedChanges } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { changeKey, createKey, getKeyPage, revokeKey, rotateKey } from './key-rules.ts';

export function bindKeys(binder: OperationBinder, database: Database): void {
  binder.bind(keyOperations.createKey, ({ scope, body, run }) => createKey(run, requireHolder(scope), body), {
    securityEvent: 'key.created',
  });
  binder.bind(keyOperations.listKeys, ({ scope, query }) =>
    getKeyPage(database, requireHolder(scope), query),
  );
  binder.bind(
    keyOperations.updateKey,
    ({ scope, parameters, body }) => changeKey(database, requireHolder(scope), parameters.id, body),
    { securityEvent: 'key.changed' },
  );
  binder.bind(
    keyOperations.rotateKey,
    ({ scope, parameters, body, run }) => rotateKey(run, database, requireHolder(scope), parameters.id, body),
    { securityEvent: 'key.rotated', after: () => waitForCommittedChanges(database) },
  );
  binder.bind(
    keyOperations.revokeKey,
    ({ scope, parameters }) => revokeKey(database, requireHolder(scope), parameters.id),
    { securityEvent: 'key.revoked' },
  );
}
