import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

export const transactionTypes = ['MINT', 'TRANSFER', 'LIST', 'LIST_CANCEL', 'SALE'] as const;
export type TransactionType = (typeof transactionTypes)[number];

const Wallet = (description: string) =>
  Nullable(Type.String({ description, examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'] }));

export const Transaction = Type.Object({
  id: Uuid('Identifies the transaction'),
  type: Type.Enum([...transactionTypes]),
  tokenId: Type.Integer({ description: 'The digital key', examples: [1001] }),
  from: Wallet('Whose it was, or who offered it; null of a mint'),
  to: Wallet('Whose it became; null of a listing and of its end'),
  price: Nullable(
    Type.String({ description: 'Exact to 18 digits, without zeros at its end', examples: ['1.5'] }),
  ),
  currency: Nullable(Type.String({ examples: ['ETH'] })),
  txHash: Nullable(
    Type.String({
      description: 'The transaction on the chain; null for what a signature did and the chain has not seen',
    }),
  ),
  blockNumber: Nullable(Type.Integer({ description: 'The block it is in' })),
  timestamp: Timestamp('When it happened'),
  saleId: Nullable(Uuid('The sale it belongs to')),
});
export type Transaction = Static<typeof Transaction>;

export const TransactionPage = Type.Object({
  transactions: Type.Array(Transaction),
  pageMetaDto: PageMeta,
});
export type TransactionPage = Static<typeof TransactionPage>;

export const TransactionListQuery = Type.Object({
  ...pageQueryFields,
  type: Type.Optional(Type.Enum(['', ...transactionTypes], { description: 'Only those of this type' })),
});
export type TransactionListQuery = Static<typeof TransactionListQuery>;
