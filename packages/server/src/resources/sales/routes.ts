import {
  NewSale,
  Sale,
  SaleChange,
  SaleChoice,
  SaleHistory,
  SaleHistoryQuery,
  SaleListQuery,
  SalePage,
  SalePath,
  SaleSummary,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { createSale } from './open-sale.ts';
import { getSaleHistory, getSalePage, getSaleSummary, updateSale } from './sale-rules.ts';

const example = {
  id: '019a8f3e-7c00-7000-8000-000000000501',
  stage: 'LEADS',
  description: 'Asked for a sample',
  clientId: '019a8f3e-7c00-7000-8000-000000000201',
  orderId: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};

export function addSaleRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'PATCH',
      path: '/dapp/sales',
      access: 'credential',
      id: 'updateSale',
      tag: 'Sales',
      summary: 'Change a sale',
      description:
        'Moves it to another stage, describes it, or both; at least one. Any stage may follow any other. Without an ' +
        '`id` it is the own sale of the digital key, which is there from the start and belongs to no client.',
      query: SaleChoice,
      body: SaleChange,
      answer: Sale,
      errors: ['NOT_FOUND'],
      example: { ...example, stage: 'ONGOING', updatedAt: '2026-11-15T10:00:00.000Z' },
    },
    ({ scope, query, body }) => updateSale(database, requireHolder(scope), query.id ?? null, body),
  );

  router.add(
    {
      method: 'POST',
      path: '/dapp/sales',
      access: 'credential',
      id: 'createSale',
      tag: 'Sales',
      summary: 'Open a sale',
      status: 201,
      body: NewSale,
      answer: Sale,
      errors: ['NOT_FOUND'],
      example,
    },
    ({ scope, body, run }) => createSale(run, database, requireHolder(scope), body),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/sales',
      access: 'credential',
      id: 'listSales',
      tag: 'Sales',
      summary: 'List sales',
      description: 'The newest first, the own sale of the digital key included.',
      query: SaleListQuery,
      answer: SalePage,
      example: { sales: [example], pageMetaDto: onlyPage },
    },
    ({ scope, query }) => getSalePage(database, requireHolder(scope), query),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/sales/summary',
      access: 'credential',
      id: 'getSaleSummary',
      tag: 'Sales',
      summary: 'Count sales by stage',
      answer: SaleSummary,
      example: { total: 12, stages: { LEADS: 7, ONGOING: 4, CLOSED: 1 } },
    },
    ({ scope }) => getSaleSummary(database, requireHolder(scope)),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/sales/:saleId/history',
      access: 'credential',
      id: 'getSaleHistory',
      tag: 'Sales',
      summary: 'Read what a sale was',
      description: 'Every stage and description it has had, the oldest first.',
      parameters: SalePath,
      query: SaleHistoryQuery,
      answer: SaleHistory,
      example: {
        history: [
          { stage: 'LEADS', description: 'Asked for a sample', changedAt: '2026-11-15T09:30:00.000Z' },
        ],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, parameters, query }) =>
      getSaleHistory(database, requireHolder(scope), parameters.saleId, query),
  );
}
