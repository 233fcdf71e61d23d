import { approvals, type ClientStatusBreakdown, type ClientSummary } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import { type ClientCount, listClientCounts } from './client-list-queries.ts';
import { computePercentages } from './percentages.ts';

/** Counts the clients of a digital key by approval, KYC status and activity. */
export async function getClientSummary(database: Database, scope: HolderScope): Promise<ClientSummary> {
  const rows = await listClientCounts(database, scope);
  const total = sumClients(rows);
  const active = sumClients(rows.filter((row) => row.isActive));
  const adminApproval = {
    PENDING: sumClients(rows.filter((row) => row.adminApproval === 'PENDING')),
    VERIFIED: sumClients(rows.filter((row) => row.adminApproval === 'VERIFIED')),
    REJECTED: sumClients(rows.filter((row) => row.adminApproval === 'REJECTED')),
  };
  return {
    total,
    active,
    inactive: total - active,
    kycVerified: sumClients(rows.filter((row) => row.isKYCVerified)),
    adminApproval,
    summary: { ...adminApproval, totalCount: total },
  };
}

/** Gets client counts by approval status: of the digital key, or of the whole platform for an administrator. */
export async function getClientStatusBreakdown(
  database: Database,
  scope: HolderScope | AdministratorScope,
): Promise<ClientStatusBreakdown> {
  const rows = await listClientCounts(database, scope);
  const counts = approvals.map((status) => ({
    status,
    count: sumClients(rows.filter((row) => row.adminApproval === status)),
  }));
  const percentages = computePercentages(counts.map((each) => each.count));
  return {
    total: sumClients(rows),
    statuses: counts.map((each, index) => ({ ...each, percentage: percentages[index] ?? 0 })),
  };
}

function sumClients(rows: readonly ClientCount[]): number {
  return rows.reduce((sum, { clients }) => sum + clients, 0);
}
