import { authOperations } from '@keyfront/protocol';
import { waitForCommittedChanges } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { endSession, endSessions, getSessionList, signOut } from './session-rules.ts';

export function addSessionRoutes(router: OperationRouter, database: Database): void {
  router.add(authOperations.signOut, ({ scope, tx }) => signOut(tx, scope), {
    securityEvent: 'session.ended',
    after: () => waitForCommittedChanges(database),
  });
  router.add(authOperations.listSessions, ({ scope }) => getSessionList(database, scope));
  router.add(authOperations.endSessions, ({ scope, query }) => endSessions(database, scope, query), {
    securityEvent: 'session.ended',
  });
  router.add(
    authOperations.endSession,
    ({ scope, parameters }) => endSession(database, scope, parameters.sessionId),
    { securityEvent: 'session.ended' },
  );
}
