import { TransactionListQuery, TransactionPage } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { getTransactionPage } from './transaction-rules.ts';

export function addTransactionRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'GET',
      path: '/marketplace/transactions/user',
      access: 'credential',
      id: 'listTransactions',
      tag: 'Marketplace',
      summary: 'List one’s transactions',
      description:
        'What the wallet of the caller gave, got or offered, on the chain or by signature, the newest first.',
      query: TransactionListQuery,
      answer: TransactionPage,
      example: {
        transactions: [
          {
            id: '019a8f3e-7c00-7000-8000-000000000701',
            type: 'SALE',
            tokenId: 1001,
            from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
            to: '0x52908400098527886E0F7030069857D2E4169EE7',
            price: '1.5',
            currency: 'ETH',
            txHash: `0x${'5c'.repeat(32)}`,
            blockNumber: 21_400_000,
            timestamp: '2026-11-15T09:30:00.000Z',
            saleId: '019a8f3e-7c00-7000-8000-000000000601',
          },
        ],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, query }) => getTransactionPage(database, scope, query),
  );
}
