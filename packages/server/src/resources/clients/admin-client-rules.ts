import type {
  AdminClient,
  AdminClientChange,
  AdminClientDetails,
  AdminClientListQuery,
  AdminClientPage,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange, getAuditPage } from '../audit/audit-rules.ts';
import { listOrdersOfClient } from '../orders/order-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import {
  type ClientApproval,
  findAdminClient,
  findAdminClientOfOrder,
  lockClientApproval,
  updateClientApproval,
} from './client-approval-queries.ts';
import { readClientFilter } from './client-filter.ts';
import { listAdminClients } from './client-list-queries.ts';
import { type AdminClientRow, toClient } from './client-record.ts';

/** Gets one page of clients of the whole platform. */
export async function getAdminClientPage(
  database: Database,
  scope: AdministratorScope,
  query: AdminClientListQuery,
  kycLinks: ProviderLinks,
): Promise<AdminClientPage> {
  const { tokenId = null } = query;
  const filter = readClientFilter(query);
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listAdminClients(database, scope, tokenId, filter, page),
  );
  return { clients: items.map((row) => toClient(row, kycLinks)), pageMetaDto };
}

/** Gets a client with everything that a decision needs, or throws the 404. */
export async function getAdminClient(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
  kycLinks: ProviderLinks,
): Promise<AdminClientDetails> {
  const [client, orders, { entries: history }] = await Promise.all([
    findAdminClient(database, scope, clientId),
    listOrdersOfClient(database, scope, clientId),
    getAuditPage(database, scope, { subjectId: clientId, take: 50 }),
  ]);
  if (!client) throw notFound('Client');
  return { ...toClient(client, kycLinks), orders, history };
}

/** Finds the client of an order, archived or not. */
export async function findClientOfOrder(
  database: Database,
  scope: AdministratorScope,
  orderId: string,
  kycLinks: ProviderLinks,
): Promise<AdminClient | null> {
  const row = await findAdminClientOfOrder(database, scope, orderId);
  return row && toClient(row, kycLinks);
}

/** Approves or rejects a client. Returns whether that has changed anything. */
export async function decideClient(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
  decision: Pick<AdminClientChange, 'adminApproval' | 'rejectionNote'>,
): Promise<boolean> {
  return database.transaction(scope, async (tx) => {
    const { before, after } = await changeApproval(tx, scope, clientId, decision);
    return before.adminApproval !== after.adminApproval || before.rejectionNote !== after.rejectionNote;
  });
}

/** Changes approval, KYC status, activity or rejection note of a client, with an audit row. */
export async function changeClientApproval(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
  change: AdminClientChange,
  kycLinks: ProviderLinks,
): Promise<AdminClient> {
  return database.transaction(scope, async (tx) => {
    const { client } = await changeApproval(tx, scope, clientId, change);
    return toClient(client, kycLinks);
  });
}

interface ApprovalChange {
  readonly before: ClientApproval;
  readonly after: ClientApproval;
  readonly client: AdminClientRow;
}

async function changeApproval(
  tx: RunInTransaction,
  scope: AdministratorScope,
  clientId: string,
  change: AdminClientChange,
): Promise<ApprovalChange> {
  const before = await lockClientApproval(tx, clientId);
  if (!before) throw notFound('Client');
  const after = applyApprovalChange(before, change);
  const client = await updateClientApproval(tx, clientId, after, change.isActive === false);
  if (!client) throw notFound('Client');
  auditChange(tx, scope, 'CLIENT', clientId, { before: { ...before }, after: { ...after } });
  return { before, after, client };
}

/** Any approval may follow any other. A rejection note is cleared together with the rejection. */
function applyApprovalChange(before: ClientApproval, change: AdminClientChange): ClientApproval {
  const adminApproval = change.adminApproval ?? before.adminApproval;
  const isRejected = adminApproval === 'REJECTED';
  if (change.rejectionNote !== undefined && !isRejected) {
    throw new ApiError('REJECTION_NOTE_REFUSED', { message: 'Only a rejected client has a rejection note' });
  }
  return {
    adminApproval,
    isKYCVerified: change.isKYCVerified ?? before.isKYCVerified,
    isActive: change.isActive ?? before.isActive,
    rejectionNote: isRejected ? (change.rejectionNote ?? before.rejectionNote) : null,
  };
}
