import {
  type AdminClient,
  type AdminClientChange,
  type AdminClientListQuery,
  type AdminClientPage,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notFound } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/scope.ts';
import { auditChange } from '../audit/audit-rules.ts';
import { readFilter } from './client-filter.ts';
import { type ClientStanding, listAdminClients, lockStanding, writeStanding } from './client-queries.ts';

/** The page of the platform's clients that a query asks for. */
export async function getAdminClientPage(
  database: Database,
  scope: AdministratorScope,
  query: AdminClientListQuery,
): Promise<AdminClientPage> {
  const page = pageRequest(query);
  const tokenId = query.tokenId || null;
  const { clients, itemCount } = await listAdminClients(database, scope, tokenId, readFilter(query), page);
  return { clients, pageMetaDto: pageMeta(page, itemCount) };
}

/** Changes what the administrators say of a client, and notes who changed it. */
export async function changeClientStanding(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
  change: AdminClientChange,
): Promise<AdminClient> {
  return database.transaction(scope, async (run) => {
    const before = await lockStanding(run, clientId);
    if (!before) throw notFound('Client');
    const after = standingAfter(before, change);
    const client = await writeStanding(run, clientId, after);
    if (!client) throw notFound('Client');
    auditChange(run, scope, 'CLIENT', clientId, { before: { ...before }, after: { ...after } });
    return client;
  });
}

/** Any approval may follow any other; a note goes with the rejection that it explains. */
function standingAfter(before: ClientStanding, change: AdminClientChange): ClientStanding {
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
