import { dashboardOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getDashboardAnalytics, getDashboardSummary } from './dashboard-rules.ts';

export function addDashboardRoutes(router: OperationRouter, database: Database): void {
  router.add(dashboardOperations.getDashboardSummary, ({ scope }) => getDashboardSummary(database, scope), {
    readsReplica: true,
  });
  router.add(
    dashboardOperations.getDashboardAnalytics,
    ({ scope, query }) => getDashboardAnalytics(database, scope, query, new Date()),
    { readsReplica: true },
  );
}
