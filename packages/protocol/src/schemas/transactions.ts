import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { ChecksumAddress, Nullable, StringEnum, Timestamp, TokenId, Uuid } from './values.ts';

export const transactionTypes = ['MINT', 'TRANSFER', 'LIST', 'LIST_CANCEL', 'SALE'] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const Transaction = Type.Object(
  {
    id: Uuid('Id of the transaction'),
    type: StringEnum(transactionTypes, { description: 'Kind of transaction', title: 'TransactionType' }),
    tokenId: TokenId('Token id of the digital key'),
    from: Nullable(ChecksumAddress('Previous owner or seller; null for MINT')),
    to: Nullable(ChecksumAddress('New owner; null for LIST and LIST_CANCEL')),
    price: Nullable(Type.String({ description: 'Price with up to 18 decimals', examples: ['1.5'] })),
    currency: Nullable(Type.String({ description: 'Currency of the price', examples: ['ETH'] })),
    txHash: Nullable(
      Type.String({
        description: 'Hash of the transaction on the chain; null for signatures that are off the chain',
      }),
    ),
    blockNumber: Nullable(Type.Integer({ description: 'Number of the block' })),
    timestamp: Timestamp('When it happened'),
    saleId: Nullable(Uuid('Id of the NFT sale')),
  },
  { title: 'Transaction', description: 'A marketplace transaction' },
);
export type Transaction = Static<typeof Transaction>;

export const TransactionPage = Type.Object(
  { transactions: Type.Array(Transaction), pageMetaDto: PageMeta },
  { title: 'TransactionPage' },
);
export type TransactionPage = Static<typeof TransactionPage>;

export const TransactionListQuery = Type.Object({
  ...pageQueryFields,
  type: Type.Optional(StringEnum(transactionTypes, { description: 'Only transactions of this kind' })),
});
export type TransactionListQuery = Static<typeof TransactionListQuery>;
