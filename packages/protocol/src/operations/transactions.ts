import { defineOperations } from '../operation.ts';
import { TransactionListQuery, TransactionPage } from '../schemas/transactions.ts';
import { createdAt, ids, onlyPage, wallets } from './examples.ts';

export const transactionOperations = defineOperations({
  listTransactions: {
    method: 'GET',
    path: '/marketplace/transactions/user',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'transactions.list',
    summary: 'List the caller’s marketplace transactions',
    description: 'Lists transactions whose `from` or `to` is the caller’s wallet, newest first.',
    status: 200,
    retry: 'safe',
    query: TransactionListQuery,
    response: TransactionPage,
    example: {
      query: { type: 'SALE' },
      response: {
        transactions: [
          {
            id: ids.transaction,
            type: 'SALE',
            tokenId: 1001,
            from: wallets.holder,
            to: wallets.administrator,
            price: '1.5',
            currency: 'ETH',
            txHash: `0x${'5c'.repeat(32)}`,
            blockNumber: 21_400_000,
            timestamp: createdAt,
            saleId: ids.nftSale,
          },
        ],
        pageMetaDto: onlyPage,
      },
    },
  },
});
