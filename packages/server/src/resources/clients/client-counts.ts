import { approvals, type ClientStatusBreakdown, type ClientSummary } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope } from '../../database/scope.ts';
import { type ClientTally, readTallies } from './client-queries.ts';
import { percentagesOf } from './percentages.ts';

/** How many clients the digital key has, by what the administrators say of them. */
export async function getClientSummary(database: Database, scope: HolderScope): Promise<ClientSummary> {
  const tallies = await readTallies(database, scope);
  const total = count(tallies);
  const active = count(tallies.filter((tally) => tally.isActive));
  return {
    total,
    active,
    inactive: total - active,
    kycVerified: count(tallies.filter((tally) => tally.isKYCVerified)),
    adminApproval: {
      PENDING: count(tallies.filter((tally) => tally.adminApproval === 'PENDING')),
      VERIFIED: count(tallies.filter((tally) => tally.adminApproval === 'VERIFIED')),
      REJECTED: count(tallies.filter((tally) => tally.adminApproval === 'REJECTED')),
    },
  };
}

/** How the clients of a digital key, or for an administrator of the whole platform, divide into the approvals. */
export async function getClientStatusBreakdown(
  database: Database,
  scope: HolderScope | AdministratorScope,
): Promise<ClientStatusBreakdown> {
  const tallies = await readTallies(database, scope);
  const counts = approvals.map((status) => ({
    status,
    count: count(tallies.filter((tally) => tally.adminApproval === status)),
  }));
  const percentages = percentagesOf(counts.map((each) => each.count));
  return {
    total: count(tallies),
    statuses: counts.map((each, index) => ({ ...each, percentage: percentages[index] ?? 0 })),
  };
}

function count(tallies: readonly ClientTally[]): number {
  return tallies.reduce((sum, { clients }) => sum + clients, 0);
}
