import { defineOperations, listBodyLimitBytes, metadataLimitBytes } from '../operation.ts';
import { AdminClientDetails, DecisionResults, Decisions } from '../schemas/administration.ts';
import {
  AdminClient,
  AdminClientChange,
  AdminClientListQuery,
  AdminClientPage,
  ArchivedClient,
  Client,
  ClientArchiveQuery,
  ClientChange,
  ClientDetails,
  ClientListQuery,
  ClientPage,
  ClientPath,
  ClientQuery,
  ClientStatusBreakdown,
  ClientSummary,
  CreatedClient,
  MarketingConsentChange,
  MedicalRecordRequest,
  MedicalRecordResponse,
  maximumMedicalRecordBytes,
  NewClient,
} from '../schemas/clients.ts';
import { client, createdAt, ids, onlyPage } from './examples.ts';

const { firstName, lastName, email, phoneCode, phoneCountryCode, contactNumber, shipping } = client;
const moved = { ...shipping, address1: 'Rua do Exemplo 2' };
const rejected = {
  ...client,
  adminApproval: 'REJECTED',
  rejectedAt: '2026-11-16T08:00:00.000Z',
  rejectionNote: 'The document photo cannot be read.',
};

/** The rest are addresses. Most clients have few, which leaves room for a record that is written with white space or escapes. */
const clientBodyLimitBytes = maximumMedicalRecordBytes + 96 * 1024 + metadataLimitBytes;

export const clientOperations = defineOperations({
  createClient: {
    method: 'POST',
    path: '/dapp/clients',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.create',
    summary: 'Create a client',
    description:
      'The client belongs to the digital key of the caller and becomes a lead of its sales pipeline. Only administrators ' +
      'set approval, KYC and activity.',
    status: 201,
    retry: 'idempotency-key',
    body: NewClient,
    bodyLimitBytes: clientBodyLimitBytes,
    response: CreatedClient,
    erasedWith: 'id',
    errors: ['HOLDER_REQUIRED', 'EMAIL_TAKEN', 'MEDICAL_RECORDS_DISABLED'],
    example: {
      body: { firstName, lastName, email, phoneCode, phoneCountryCode, contactNumber, shipping },
      response: { ...client, clientId: client.id, client },
    },
  },

  listClients: {
    method: 'GET',
    path: '/dapp/clients',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.list',
    summary: 'List clients',
    description: 'Lists the clients of the digital key. Filters that contradict each other match no client.',
    status: 200,
    retry: 'safe',
    query: ClientListQuery,
    response: ClientPage,
    errors: ['HOLDER_REQUIRED'],
    example: {
      query: { search: 'Ada Exa', searchBy: 'clientName' },
      response: { clients: [client], pageMetaDto: onlyPage },
    },
  },

  getClientSummary: {
    method: 'GET',
    path: '/dapp/clients/summary',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.summary',
    summary: 'Client summary',
    description: 'Counts the clients of the digital key by activity, KYC and approval.',
    status: 200,
    retry: 'safe',
    response: ClientSummary,
    errors: ['HOLDER_REQUIRED'],
    example: {
      response: {
        total: 120,
        active: 115,
        inactive: 5,
        kycVerified: 90,
        adminApproval: { PENDING: 20, VERIFIED: 92, REJECTED: 8 },
        summary: { PENDING: 20, VERIFIED: 92, REJECTED: 8, totalCount: 120 },
      },
    },
  },

  getClient: {
    method: 'GET',
    path: '/dapp/clients/{clientId}',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.get',
    summary: 'Get a client',
    description:
      'Returns the client with its medical record, unless `medicalRecord` is `omit`. To read the record with a reason that is audited, see ' +
      '`POST /dapp/clients/{clientId}/medical-record`. No other operation returns it.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    query: ClientQuery,
    response: ClientDetails,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { clientId: ids.client },
      response: { ...client, medicalRecord: { allergies: ['penicillin'], createdAt } },
    },
  },

  readMedicalRecord: {
    method: 'POST',
    path: '/dapp/clients/{clientId}/medical-record',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.readMedicalRecord',
    summary: 'Read the medical record of a client',
    description:
      'Returns the medical record, or null if the client has none. Who read it, when and why is written to the audit log before the ' +
      'response is sent.',
    status: 200,
    // The method is POST because of the reason. The response is what a reader of clients gets.
    furtherScopes: ['clients:read'],
    // The response must not be stored, and a second attempt is one more reading in the audit log.
    retry: 'never',
    parameters: ClientPath,
    body: MedicalRecordRequest,
    response: MedicalRecordResponse,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    // The record, the lock of its client, and the audit log.
    roundTrips: 3,
    example: {
      parameters: { clientId: ids.client },
      body: { reason: 'The client asked about an allergy' },
      response: { medicalRecord: { allergies: ['penicillin'] } },
    },
  },

  updateClient: {
    method: 'PATCH',
    path: '/dapp/clients/{clientId}',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.update',
    summary: 'Update a client',
    description:
      'Updates the fields in the body; give at least one. Other fields keep their value, including those of `shipping` and ' +
      '`clientBusiness`. `shippings` replaces all addresses.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    body: ClientChange,
    bodyLimitBytes: clientBodyLimitBytes,
    response: Client,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'EMAIL_TAKEN', 'MEDICAL_RECORDS_DISABLED'],
    example: {
      parameters: { clientId: ids.client },
      body: { shipping: { address1: 'Rua do Exemplo 2' } },
      response: { ...client, shipping: moved, shippings: [moved] },
    },
  },

  activateClient: {
    method: 'PATCH',
    path: '/dapp/clients/{clientId}/activate',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.activate',
    summary: 'Activate a client',
    description:
      'Lets the client order again. Activating an active client has no effect. Only an administrator activates a client ' +
      'that an administrator has deactivated.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    response: Client,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'CLIENT_BLOCKED'],
    example: { parameters: { clientId: ids.client }, response: client },
  },

  deactivateClient: {
    method: 'PATCH',
    path: '/dapp/clients/{clientId}/deactivate',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.deactivate',
    summary: 'Deactivate a client',
    description: 'The client may not order until it is activated again.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    response: Client,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: { parameters: { clientId: ids.client }, response: { ...client, isActive: false } },
  },

  updateMarketingConsent: {
    method: 'PATCH',
    path: '/dapp/clients/{clientId}/marketing-consent',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.updateMarketingConsent',
    summary: 'Update marketing consent',
    description: 'Records whether the client agrees to receive marketing.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    body: MarketingConsentChange,
    response: Client,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { clientId: ids.client },
      body: { marketingConsent: true },
      response: { ...client, marketingConsent: true },
    },
  },

  archiveClient: {
    method: 'DELETE',
    path: '/dapp/clients/{clientId}',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.archive',
    summary: 'Archive a client',
    description:
      'Removes the client from lists, searches and counts, deletes its cart and closes its leads. Its orders remain, it cannot ' +
      'order any more, and its e-mail address is free for another client. This cannot be undone. With `erase` its personal ' +
      'data is erased too: the name of a client with orders stays, and so do the addresses in those orders, because invoices ' +
      'need them. Archiving again has no effect, except that `erase` still erases.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    query: ClientArchiveQuery,
    response: ArchivedClient,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    roundTrips: 2,
    example: {
      parameters: { clientId: ids.client },
      query: { erase: 'true' },
      response: { id: ids.client, archivedAt: createdAt, erasedAt: createdAt },
    },
    // Archives, erases, and then erases the deliveries and the files of archived orders.
    variants: { 'and erase': { query: { erase: 'true' }, roundTrips: 7 } },
  },

  getClientStatusBreakdown: {
    method: 'GET',
    path: '/clients/status-breakdown',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.statusBreakdown',
    summary: 'Client status breakdown',
    description:
      'Counts clients by approval: those of the digital key, or for an administrator those of the whole platform. All ' +
      'three approvals are listed, including zeros.',
    status: 200,
    retry: 'safe',
    response: ClientStatusBreakdown,
    example: {
      response: {
        total: 120,
        statuses: [
          { status: 'PENDING', count: 20, percentage: 16.67 },
          { status: 'VERIFIED', count: 92, percentage: 76.67 },
          { status: 'REJECTED', count: 8, percentage: 6.66 },
        ],
      },
    },
  },

  listAdminClients: {
    method: 'GET',
    path: '/admin/clients',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.clients.list',
    summary: 'List the clients of the platform',
    description: 'Lists the clients of all digital keys. Filters that contradict each other match no client.',
    status: 200,
    retry: 'safe',
    query: AdminClientListQuery,
    response: AdminClientPage,
    example: {
      query: { adminApproval: 'REJECTED' },
      response: { clients: [rejected], pageMetaDto: onlyPage },
    },
  },

  getAdminClient: {
    method: 'GET',
    path: '/admin/clients/{clientId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.clients.get',
    summary: 'Get a client of the platform',
    description:
      'A client with everything that a decision needs: the latest orders, and what was changed and by whom. The medical record ' +
      'is not part of it.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    response: AdminClientDetails,
    // At the same time.
    roundTrips: 3,
    example: {
      parameters: { clientId: ids.client },
      response: { ...rejected, orders: [], history: [] },
    },
  },

  decideAdminClients: {
    method: 'POST',
    path: '/admin/clients/decisions',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.clients.decide',
    summary: 'Approve or reject clients',
    description:
      'Decides up to 500 clients, one after the other, each in a transaction of its own. The response says for each what ' +
      'happened. To decide the same again is a no-op.',
    status: 200,
    retry: 'idempotency-key',
    body: Decisions,
    bodyLimitBytes: listBodyLimitBytes,
    response: DecisionResults,
    // For one id. Each further one takes as many again, but for the key.
    roundTrips: { first: 3, withKey: 7, replayed: 2 },
    example: {
      body: { adminApproval: 'VERIFIED', ids: [ids.client] },
      response: { results: [{ id: ids.client, outcome: 'CHANGED', code: null, message: null }] },
    },
  },

  updateAdminClient: {
    method: 'PATCH',
    path: '/admin/clients/{clientId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.clients.update',
    summary: 'Approve, reject or block a client',
    description:
      'Updates the fields in the body; give at least one. Any approval may follow any other. Only a rejected client has ' +
      'a rejection note; it is removed when the client is no longer rejected.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    body: AdminClientChange,
    response: AdminClient,
    errors: ['REJECTION_NOTE_REFUSED'],
    example: {
      parameters: { clientId: ids.client },
      body: { adminApproval: 'REJECTED', rejectionNote: 'The document photo cannot be read.' },
      response: rejected,
    },
  },
});
