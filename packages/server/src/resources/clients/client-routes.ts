import { clientOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireAdministrator, requireHolder } from '../holders/holder-rules.ts';
import { changeClientApproval, getAdminClientPage } from './admin-client-rules.ts';
import { archiveClient } from './archive-client.ts';
import { activateClient, deactivateClient } from './client-activity-rules.ts';
import { getClientStatusBreakdown, getClientSummary } from './client-counts.ts';
import {
  type ClientParts,
  changeClient,
  createClient,
  getClient,
  getClientPage,
  readMedicalRecord,
} from './client-rules.ts';

export function bindClients(binder: OperationBinder, database: Database, parts: ClientParts): void {
  binder.bind(clientOperations.createClient, ({ scope, body, run }) =>
    createClient(run, requireHolder(scope), body, parts),
  );
  binder.bind(
    clientOperations.listClients,
    ({ scope, query }) => getClientPage(database, requireHolder(scope), query, parts),
    { readsReplica: true },
  );
  binder.bind(
    clientOperations.getClientSummary,
    ({ scope }) => getClientSummary(database, requireHolder(scope)),
    { readsReplica: true },
  );
  binder.bind(clientOperations.getClient, ({ scope, parameters, query }) =>
    getClient(database, requireHolder(scope), parameters.clientId, query, parts),
  );
  binder.bind(clientOperations.readMedicalRecord, ({ scope, parameters, body }) =>
    readMedicalRecord(database, requireHolder(scope), parameters.clientId, body, parts),
  );
  binder.bind(clientOperations.updateClient, ({ scope, parameters, body }) =>
    changeClient(database, requireHolder(scope), parameters.clientId, body, parts),
  );
  binder.bind(clientOperations.activateClient, ({ scope, parameters }) =>
    activateClient(database, requireHolder(scope), parameters.clientId, parts),
  );
  binder.bind(clientOperations.deactivateClient, ({ scope, parameters }) =>
    deactivateClient(database, requireHolder(scope), parameters.clientId, parts),
  );
  binder.bind(clientOperations.updateMarketingConsent, ({ scope, parameters, body }) =>
    changeClient(database, requireHolder(scope), parameters.clientId, body, parts),
  );
  binder.bind(clientOperations.archiveClient, ({ scope, parameters, query }) =>
    archiveClient(database, requireHolder(scope), parameters.clientId, query),
  );
  binder.bind(
    clientOperations.getClientStatusBreakdown,
    ({ scope }) => getClientStatusBreakdown(database, scope),
    { readsReplica: true },
  );
  binder.bind(
    clientOperations.listAdminClients,
    ({ scope, query }) => getAdminClientPage(database, requireAdministrator(scope), query, parts.kycLinks),
    { readsReplica: true },
  );
  binder.bind(clientOperations.updateAdminClient, ({ scope, parameters, body }) =>
    changeClientApproval(database, requireAdministrator(scope), parameters.clientId, body, parts.kycLinks),
  );
}
