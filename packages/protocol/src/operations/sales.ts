import { defineOperations } from '../operation.ts';
import {
  NewSale,
  Sale,
  SaleChange,
  SaleHistory,
  SaleHistoryQuery,
  SaleListQuery,
  SalePage,
  SalePath,
  SaleSummary,
  SaleUpdateQuery,
} from '../schemas/sales.ts';
import { clientContact, createdAt, ids, onlyPage } from './examples.ts';

const sale = {
  id: ids.sale,
  stage: 'LEADS',
  description: 'Asked for a sample',
  clientId: ids.client,
  client: clientContact,
  orderId: null,
  createdAt,
  updatedAt: createdAt,
};

export const saleOperations = defineOperations({
  updateSale: {
    method: 'PATCH',
    path: '/dapp/sales',
    access: 'credential',
    tag: 'Sales',
    sdk: 'sales.update',
    summary: 'Update sales stage',
    description:
      'Changes the stage, the description or both. Any stage may follow any other. Without `id` it updates the sale of the ' +
      'digital key itself, which always exists and belongs to no client.',
    status: 200,
    retry: 'safe',
    query: SaleUpdateQuery,
    body: SaleChange,
    response: Sale,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'RESOURCE_NOT_FOUND'],
    example: {
      query: { id: ids.sale },
      body: { stage: 'ONGOING', description: 'Asked for a sample' },
      response: { ...sale, stage: 'ONGOING', updatedAt: '2026-11-15T10:00:00.000Z' },
    },
  },

  createSale: {
    method: 'POST',
    path: '/dapp/sales',
    access: 'credential',
    tag: 'Sales',
    sdk: 'sales.create',
    summary: 'Create a sale',
    description: 'Adds an entry for a client to the sales pipeline.',
    status: 201,
    retry: 'idempotency-key',
    body: NewSale,
    response: Sale,
    erasedWith: 'clientId',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'RESOURCE_NOT_FOUND'],
    example: { body: { clientId: ids.client, description: 'Asked for a sample' }, response: sale },
  },

  listSales: {
    method: 'GET',
    path: '/dapp/sales',
    access: 'credential',
    tag: 'Sales',
    sdk: 'sales.list',
    summary: 'List sales',
    description:
      'Lists the sales pipeline, newest first unless `orderBy` says otherwise, including the sale of the digital key itself.',
    status: 200,
    retry: 'safe',
    query: SaleListQuery,
    response: SalePage,
    errors: ['HOLDER_REQUIRED'],
    example: { query: { stage: 'LEADS' }, response: { sales: [sale], pageMetaDto: onlyPage } },
  },

  getSaleSummary: {
    method: 'GET',
    path: '/dapp/sales/summary',
    access: 'credential',
    tag: 'Sales',
    sdk: 'sales.summary',
    summary: 'Sales summary',
    description: 'Counts sales by stage.',
    status: 200,
    retry: 'safe',
    response: SaleSummary,
    errors: ['HOLDER_REQUIRED'],
    example: {
      response: {
        total: 12,
        stages: { LEADS: 7, ONGOING: 4, CLOSED: 1 },
        summary: { LEADS: 7, ONGOING: 4, CLOSED: 1, totalCount: 12 },
      },
    },
  },

  getSaleHistory: {
    method: 'GET',
    path: '/dapp/sales/{saleId}/history',
    access: 'credential',
    tag: 'Sales',
    sdk: 'sales.history',
    summary: 'Get sale history',
    description: 'Lists every stage and description of the sale, oldest first.',
    status: 200,
    retry: 'safe',
    parameters: SalePath,
    query: SaleHistoryQuery,
    response: SaleHistory,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { saleId: ids.sale },
      response: {
        history: [{ stage: 'LEADS', description: 'Asked for a sample', changedAt: createdAt }],
        pageMetaDto: onlyPage,
      },
    },
  },
});
