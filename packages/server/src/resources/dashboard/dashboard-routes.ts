import { dashboardOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { getDashboardAnalytics, getDashboardSummary } from './dashboard-rules.ts';

export function bindDashboard(binder: OperationBinder, database: Database): void {
  binder.bind(
    dashboardOperations.getDashboardSummary,
    ({ scope }) => getDashboardSummary(database, requireHolder(scope)),
    { readsReplica: true },
  );
  binder.bind(
    dashboardOperations.getDashboardAnalytics,
    ({ scope, query }) => getDashboardAnalytics(database, requireHolder(scope), query, new Date()),
    { readsReplica: true },
  );
}
