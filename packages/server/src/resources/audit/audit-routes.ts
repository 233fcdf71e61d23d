import { auditOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getAuditPage } from './audit-rules.ts';

export function addAuditRoutes(router: OperationRouter, database: Database): void {
  router.add(auditOperations.listAudit, ({ scope, query }) => getAuditPage(database, scope, query), {
    readsReplica: true,
  });
}
