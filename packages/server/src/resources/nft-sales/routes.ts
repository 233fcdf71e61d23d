import {
  NewNftSale,
  NftSale,
  NftSaleChange,
  NftSaleListQuery,
  NftSalePage,
  NftSalePath,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { createSale, getSale, getSalePage } from './nft-sale-rules.ts';
import { type SigningRules, signSale } from './sign-nft-sale.ts';
import { describeStep } from './typed-data.ts';

const terms = {
  id: '019a8f3e-7c00-7000-8000-000000000601',
  tokenId: 1001,
  seller: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  price: '1.5',
  expiresAt: '2026-12-15T09:30:00.000Z',
};
const exampleMarketplace = { chainId: 1, contract: '0x52908400098527886E0F7030069857D2E4169EE7' };
const draft = {
  ...terms,
  currency: 'ETH',
  state: 'DRAFT',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  typedData: describeStep('Listing', terms, exampleMarketplace),
};
const listed = {
  ...draft,
  state: 'LISTED',
  updatedAt: '2026-11-15T09:32:00.000Z',
  typedData: describeStep('Cancellation', terms, exampleMarketplace),
};

export function addNftSaleRoutes(router: Router, database: Database, rules: SigningRules): void {
  const { marketplace } = rules;

  router.add(
    {
      method: 'POST',
      path: '/marketplace/nfts/sale',
      access: 'credential',
      id: 'createNftSale',
      tag: 'Marketplace',
      summary: 'Draft a sale',
      description:
        'Of any digital key that the wallet of the caller owns, for 30 days. Let the owner sign `typedData` and hand the ' +
        'signature in, and it is listed. A digital key has one open sale at a time: a second one is 403.',
      status: 201,
      body: NewNftSale,
      answer: NftSale,
      errors: ['NOT_FOUND'],
      example: draft,
    },
    ({ scope, body, run }) => createSale(run, database, requireHolder(scope), marketplace, body),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/marketplace/nfts/sale/:id',
      access: 'credential',
      id: 'updateNftSale',
      tag: 'Marketplace',
      summary: 'Hand in the owner’s signature',
      description:
        'The signature of `typedData` moves the sale on: a draft is listed, what is listed is cancelled. Each is good for ' +
        'one step of one sale. What is not the owner’s signature is 403, and so is a sale that is sold, cancelled or expired.',
      parameters: NftSalePath,
      body: NftSaleChange,
      answer: NftSale,
      example: listed,
    },
    ({ scope, parameters, body }) => signSale(database, requireHolder(scope), rules, parameters.id, body),
  );

  router.add(
    {
      method: 'GET',
      path: '/marketplace/nfts/sale',
      access: 'credential',
      id: 'listNftSales',
      tag: 'Marketplace',
      summary: 'List sales of digital keys',
      description: 'The sales of the wallet that calls; for an administrator, of all. The newest first.',
      query: NftSaleListQuery,
      answer: NftSalePage,
      example: {
        sales: [listed],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, query }) => getSalePage(database, scope, marketplace, query),
  );

  router.add(
    {
      method: 'GET',
      path: '/marketplace/nfts/sale/:id',
      access: 'credential',
      id: 'getNftSale',
      tag: 'Marketplace',
      summary: 'Read a sale of a digital key',
      parameters: NftSalePath,
      answer: NftSale,
      example: draft,
    },
    ({ scope, parameters }) => getSale(database, scope, marketplace, parameters.id),
  );
}
