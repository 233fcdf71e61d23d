import { auditOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { getAuditPage } from './audit-rules.ts';

export function bindAudit(binder: OperationBinder, database: Database): void {
  binder.bind(
    auditOperations.listAudit,
    ({ scope, query }) => getAuditPage(database, requireAdministrator(scope), query),
    { readsReplica: true },
  );
}
