import {
  AdminClient,
  AdminClientChange,
  AdminClientListQuery,
  AdminClientPage,
  ClientPath,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { changeClientStanding, getAdminClientPage } from './admin-client-rules.ts';
import { exampleClient } from './example.ts';

const rejected = {
  ...exampleClient,
  adminApproval: 'REJECTED',
  rejectionNote: 'The document photo cannot be read.',
};

export function addAdminClientRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'GET',
      path: '/admin/clients',
      access: 'administrator',
      id: 'listAdminClients',
      tag: 'Administration',
      summary: 'List the clients of the platform',
      description: 'Of all digital keys, the newest first, all or those that match.',
      query: AdminClientListQuery,
      answer: AdminClientPage,
      example: { clients: [rejected], pageMetaDto: onlyPage },
    },
    ({ scope, query }) => getAdminClientPage(database, requireAdministrator(scope), query),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/admin/clients/:clientId',
      access: 'administrator',
      id: 'updateAdminClient',
      tag: 'Administration',
      summary: 'Approve, reject or block a client',
      description:
        'The fields that are named, at least one. Any approval may follow any other. Only a rejected client has a ' +
        'rejection note: it goes when the client is no longer rejected.',
      parameters: ClientPath,
      body: AdminClientChange,
      answer: AdminClient,
      example: rejected,
    },
    ({ scope, parameters, body }) =>
      changeClientStanding(database, requireAdministrator(scope), parameters.clientId, body),
  );
}
