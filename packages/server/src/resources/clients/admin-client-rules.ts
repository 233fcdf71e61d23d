import type {
  AdminClient,
  AdminClientChange,
  AdminClientListQuery,
  AdminClientPage,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange } from '../audit/audit-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import { type ClientApproval, lockClientApproval, updateClientApproval } from './client-approval-queries.ts';
import { readClientFilter } from './client-filter.ts';
import { listAdminClients } from './client-list-queries.ts';
import { toClient } from './client-record.ts';

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

/** Changes approval, KYC status, activity or rejection note of a client, with an audit row. */
export async function changeClientApproval(
  database: Database,
  scope: AdministratorScope,
  clientId: string,
  change: AdminClientChange,
  kycLinks: ProviderLinks,
): Promise<AdminClient> {
  return database.transaction(scope, async (tx) => {
    const before = await lockClientApproval(tx, clientId);
    if (!before) throw notFound('Client');
    const after = applyApprovalChange(before, change);
    const client = await updateClientApproval(tx, clientId, after, change.isActive === false);
    if (!client) throw notFound('Client');
    auditChange(tx, scope, 'CLIENT', clientId, { before: { ...before }, after: { ...after } });
    return toClient(client, kycLinks);
  });
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
