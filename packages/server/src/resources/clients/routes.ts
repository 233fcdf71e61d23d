import { clientOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-binder.ts';
import { requireAdministrator, requireHolder } from '../holders/holder-rules.ts';
import type { ProviderLinks } from '../provider-links.ts';
import { changeClientApproval, getAdminClientPage } from './admin-client-rules.ts';
import { archiveClient } from './archive-client.ts';
import { activateClient, deactivateClient } from './client-activity-rules.ts';
import { getClientStatusBreakdown, getClientSummary } from './client-counts.ts';
import { changeClient, createClient, getClient, getClientPage } from './client-rules.ts';

export function bindClients(binder: OperationBinder, database: Database, kycLinks: ProviderLinks): void {
  binder.bind(clientOperations.createClient, ({ scope, body, run }) =>
    createClient(run, requireHolder(scope), body, kycLinks),
  );
  binder.bind(clientOperations.listClients, ({ scope, query }) =>
    getClientPage(database, requireHolder(scope), query, kycLinks),
  );
  binder.bind(clientOperations.getClientSummary, ({ scope }) =>
    getClientSummary(database, requireHolder(scope)),
  );
  binder.bind(clientOperations.getClient, ({ scope, parameters }) =>
    getClient(database, requireHolder(scope), parameters.clientId, kycLinks),
  );
  binder.bind(clientOperations.updateClient, ({ scope, parameters, body }) =>
    changeClient(database, requireHolder(scope), parameters.clientId, body, kycLinks),
  );
  binder.bind(clientOperations.activateClient, ({ scope, parameters }) =>
    activateClient(database, requireHolder(scope), parameters.clientId),
  );
  binder.bind(clientOperations.deactivateClient, ({ scope, parameters }) =>
    deactivateClient(database, requireHolder(scope), parameters.clientId),
  );
  binder.bind(clientOperations.updateMarketingConsent, ({ scope, parameters, body }) =>
    changeClient(database, requireHolder(scope), parameters.clientId, body),
  );
  binder.bind(clientOperations.archiveClient, ({ scope, parameters, query }) =>
    archiveClient(database, requireHolder(scope), parameters.clientId, query),
  );
  binder.bind(clientOperations.getClientStatusBreakdown, ({ scope }) =>
    getClientStatusBreakdown(database, scope),
  );
  binder.bind(clientOperations.listAdminClients, ({ scope, query }) =>
    getAdminClientPage(database, requireAdministrator(scope), query, kycLinks),
  );
  binder.bind(clientOperations.updateAdminClient, ({ scope, parameters, body }) =>
    changeClientApproval(database, requireAdministrator(scope), parameters.clientId, body, kycLinks),
  );
}
