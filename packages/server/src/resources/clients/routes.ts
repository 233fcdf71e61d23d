import {
  Client,
  ClientChange,
  ClientListQuery,
  ClientPage,
  ClientPath,
  ClientStatusBreakdown,
  ClientSummary,
  NewClient,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { getClientStatusBreakdown, getClientSummary } from './client-counts.ts';
import { changeClient, createClient, getClient, getClientPage } from './client-rules.ts';
import { exampleClient } from './example.ts';

export function addClientRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'POST',
      path: '/dapp/clients',
      access: 'credential',
      id: 'createClient',
      tag: 'Clients',
      summary: 'Create a client',
      description:
        'Of the digital key that calls, and a lead of its sales pipeline from then on. Approval, KYC and activity are ' +
        'the administrators’: here they are ignored, as every unknown field is. An e-mail that another client of the ' +
        'digital key has is 403.',
      status: 201,
      body: NewClient,
      answer: Client,
      example: exampleClient,
    },
    ({ scope, body, run }) => createClient(run, requireHolder(scope), body),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/clients',
      access: 'credential',
      id: 'listClients',
      tag: 'Clients',
      summary: 'List clients',
      description: 'The clients of the digital key that calls, the newest first, all or those that match.',
      query: ClientListQuery,
      answer: ClientPage,
      example: { clients: [exampleClient], pageMetaDto: onlyPage },
    },
    ({ scope, query }) => getClientPage(database, requireHolder(scope), query),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/clients/summary',
      access: 'credential',
      id: 'getClientSummary',
      tag: 'Clients',
      summary: 'Count clients',
      description: 'How many clients the digital key that calls has, by activity, KYC and approval.',
      answer: ClientSummary,
      example: {
        total: 120,
        active: 115,
        inactive: 5,
        kycVerified: 90,
        adminApproval: { PENDING: 20, VERIFIED: 92, REJECTED: 8 },
      },
    },
    ({ scope }) => getClientSummary(database, requireHolder(scope)),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/clients/:clientId',
      access: 'credential',
      id: 'getClient',
      tag: 'Clients',
      summary: 'Read a client',
      parameters: ClientPath,
      answer: Client,
      example: exampleClient,
    },
    ({ scope, parameters }) => getClient(database, requireHolder(scope), parameters.clientId),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/dapp/clients/:clientId',
      access: 'credential',
      id: 'updateClient',
      tag: 'Clients',
      summary: 'Change a client',
      description:
        'The fields that are named, at least one; the others stay, also those of `shipping`. Approval, KYC and ' +
        'activity are the administrators’: here they are ignored, as every unknown field is.',
      parameters: ClientPath,
      body: ClientChange,
      answer: Client,
      example: exampleClient,
    },
    ({ scope, parameters, body }) => changeClient(database, requireHolder(scope), parameters.clientId, body),
  );

  router.add(
    {
      method: 'GET',
      path: '/clients/status-breakdown',
      access: 'credential',
      id: 'getClientStatusBreakdown',
      tag: 'Clients',
      summary: 'Divide clients by approval',
      description:
        'Of the digital key that calls; for an administrator, of the whole platform. All three approvals are there, ' +
        'zeros included, and their percentages make exactly 100 unless there is no client.',
      answer: ClientStatusBreakdown,
      example: {
        total: 120,
        statuses: [
          { status: 'PENDING', count: 20, percentage: 16.67 },
          { status: 'VERIFIED', count: 92, percentage: 76.67 },
          { status: 'REJECTED', count: 8, percentage: 6.66 },
        ],
      },
    },
    ({ scope }) => getClientStatusBreakdown(database, scope),
  );
}
