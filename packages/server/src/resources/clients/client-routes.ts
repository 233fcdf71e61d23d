import { clientOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { decideEach } from '../decisions/decide-each.ts';
import {
  changeClientApproval,
  decideClient,
  getAdminClient,
  getAdminClientPage,
} from './admin-client-rules.ts';
import { archiveClient } from './archive-client.ts';
import { getClientStatusBreakdown, getClientSummary } from './client-counts.ts';
import {
  activateClient,
  type ClientDependencies,
  changeClient,
  createClient,
  deactivateClient,
  getClient,
  getClientPage,
  readMedicalRecord,
} from './client-rules.ts';

export function addClientRoutes(
  router: OperationRouter,
  database: Database,
  dependencies: ClientDependencies,
): void {
  router.add(clientOperations.createClient, ({ scope, body, tx }) =>
    createClient(tx, scope, body, dependencies),
  );
  router.add(
    clientOperations.listClients,
    ({ scope, query }) => getClientPage(database, scope, query, dependencies),
    { readsReplica: true },
  );
  router.add(clientOperations.getClientSummary, ({ scope }) => getClientSummary(database, scope), {
    readsReplica: true,
  });
  router.add(clientOperations.getClient, ({ scope, parameters, query }) =>
    getClient(database, scope, parameters.clientId, query, dependencies),
  );
  router.add(clientOperations.readMedicalRecord, ({ scope, parameters, body }) =>
    readMedicalRecord(database, scope, parameters.clientId, body, dependencies),
  );
  router.add(clientOperations.updateClient, ({ scope, parameters, body }) =>
    changeClient(database, scope, parameters.clientId, body, dependencies),
  );
  router.add(clientOperations.activateClient, ({ scope, parameters }) =>
    activateClient(database, scope, parameters.clientId, dependencies),
  );
  router.add(clientOperations.deactivateClient, ({ scope, parameters }) =>
    deactivateClient(database, scope, parameters.clientId, dependencies),
  );
  router.add(clientOperations.updateMarketingConsent, ({ scope, parameters, body }) =>
    changeClient(database, scope, parameters.clientId, body, dependencies),
  );
  router.add(clientOperations.archiveClient, ({ scope, parameters, query }) =>
    archiveClient(database, scope, parameters.clientId, query, dependencies.archiveStore),
  );
  router.add(
    clientOperations.getClientStatusBreakdown,
    ({ scope }) => getClientStatusBreakdown(database, scope),
    { readsReplica: true },
  );
  router.add(
    clientOperations.listAdminClients,
    ({ scope, query }) => getAdminClientPage(database, scope, query, dependencies.kycLinks),
    { readsReplica: true },
  );
  router.add(clientOperations.updateAdminClient, ({ scope, parameters, body }) =>
    changeClientApproval(database, scope, parameters.clientId, body, dependencies.kycLinks),
  );
  router.add(clientOperations.getAdminClient, ({ scope, parameters }) =>
    getAdminClient(database, scope, parameters.clientId, dependencies.kycLinks),
  );
  router.add(
    clientOperations.decideAdminClients,
    ({ scope, body }) => decideEach(body, (id, change) => decideClient(database, scope, id, change)),
    { hasOwnTransactions: true },
  );
}
