import { authOperations } from '@keyfront/protocol';
import { waitForCommittedChanges } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { endSession, endSessions, getSessionList, signOut } from './session-rules.ts';

export function bindSessions(binder: OperationBinder, database: Database): void {
  binder.bind(authOperations.signOut, ({ scope, run }) => signOut(run, scope), {
    securityEvent: 'session.ended',
    after: () => waitForCommittedChanges(database),
  });
  binder.bind(authOperations.listSessions, ({ scope }) => getSessionList(database, scope));
  binder.bind(authOperations.endSessions, ({ scope, query }) => endSessions(database, scope, query), {
    securityEvent: 'session.ended',
  });
  binder.bind(
    authOperations.endSession,
    ({ scope, parameters }) => endSession(database, scope, parameters.sessionId),
    { securityEvent: 'session.ended' },
  );
}
