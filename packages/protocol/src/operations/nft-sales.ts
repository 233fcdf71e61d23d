import { defineOperations, listBodyLimitBytes } from '../operation.ts';
import {
  NewNftSale,
  NftListingPage,
  NftListingQuery,
  NftSale,
  NftSaleChange,
  NftSaleListQuery,
  NftSalePage,
  NftSalePath,
} from '../schemas/nft-sales.ts';
import { createdAt, ids, onlyPage, planet, wallets } from './examples.ts';

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const messageFields = [
  { name: 'saleId', type: 'bytes16' },
  { name: 'owner', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'price', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
];

const typedData = (primaryType: 'Listing' | 'Cancellation') => ({
  domain: {
    name: 'Keyfront Marketplace',
    version: '2',
    chainId: 1,
    verifyingContract: wallets.administrator,
  },
  types: { EIP712Domain: domainFields, [primaryType]: messageFields },
  primaryType,
  message: {
    saleId: `0x${ids.nftSale.replaceAll('-', '')}`,
    owner: wallets.holder,
    tokenId: '1001',
    nonce: '1',
    price: '1500000000000000000',
    expiry: String(Date.parse('2026-12-15T09:30:00.000Z') / 1000),
  },
});

const draft = {
  id: ids.nftSale,
  tokenId: 1001,
  seller: wallets.holder,
  price: '1.5',
  currency: 'ETH',
  state: 'DRAFT',
  expiresAt: '2026-12-15T09:30:00.000Z',
  createdAt,
  updatedAt: createdAt,
  typedData: typedData('Listing'),
};
const listed = {
  ...draft,
  state: 'LISTED',
  updatedAt: '2026-11-15T09:32:00.000Z',
  typedData: typedData('Cancellation'),
};

const listing = {
  id: draft.id,
  tokenId: draft.tokenId,
  planet: { number: planet.number, name: planet.name },
  seller: draft.seller,
  price: draft.price,
  currency: draft.currency,
  listedAt: listed.updatedAt,
  expiresAt: draft.expiresAt,
  typedData: draft.typedData,
  signature: `0x${'5c'.repeat(65)}`,
};

export const nftSaleOperations = defineOperations({
  createNftSale: {
    method: 'POST',
    path: '/marketplace/nfts/sale',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftSales.create',
    summary: 'Create an NFT sale',
    description:
      'Creates a draft for the digital key of the credential, which for a JWT is the primary one. It expires after 30 days. ' +
      'To list it, let the owner sign `typedData` and send the signature with `PATCH`. A digital key has one open sale at a ' +
      'time.',
    status: 201,
    retry: 'idempotency-key',
    body: NewNftSale,
    response: NftSale,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'RESOURCE_NOT_FOUND', 'SALE_ALREADY_OPEN'],
    example: { body: { tokenId: 1001, price: '1.5', currency: 'ETH' }, response: draft },
  },

  updateNftSale: {
    method: 'PATCH',
    path: '/marketplace/nfts/sale/{id}',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftSales.update',
    summary: 'Update an NFT sale',
    description:
      'Sends the owner’s signature of `typedData`. It lists a draft or cancels a listing. Each signature is valid for one ' +
      'step of one sale.',
    status: 200,
    // The second attempt meets a sale that has moved on, and is refused.
    retry: 'safe',
    parameters: NftSalePath,
    body: NftSaleChange,
    bodyLimitBytes: listBodyLimitBytes,
    response: NftSale,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'SALE_TOKEN_MISMATCH',
      'SALE_CLOSED',
      'SALE_EXPIRED',
      'OWNER_SIGNATURE_INVALID',
    ],
    roundTrips: 2,
    example: {
      parameters: { id: ids.nftSale },
      body: { tokenId: 1001, signature: `0x${'5c'.repeat(65)}` },
      response: listed,
    },
  },

  listNftSales: {
    method: 'GET',
    path: '/marketplace/nfts/sale',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftSales.list',
    summary: 'List NFT sales',
    description:
      'Lists the sales of the credential’s digital key, or for an administrator all sales. Newest first.',
    status: 200,
    retry: 'safe',
    query: NftSaleListQuery,
    response: NftSalePage,
    example: { query: { state: 'LISTED' }, response: { sales: [listed], pageMetaDto: onlyPage } },
  },

  getNftSale: {
    method: 'GET',
    path: '/marketplace/nfts/sale/{id}',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftSales.get',
    summary: 'Get an NFT sale',
    status: 200,
    retry: 'safe',
    parameters: NftSalePath,
    response: NftSale,
    errors: ['NOT_OWNED'],
    example: { parameters: { id: ids.nftSale }, response: draft },
  },

  withdrawNftSale: {
    method: 'DELETE',
    path: '/marketplace/nfts/sale/{id}',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftSales.withdraw',
    summary: 'Withdraw an NFT sale',
    description:
      'Withdraws a draft. It becomes `CANCELLED`, and another sale of the digital key can be created. A listed sale is cancelled ' +
      'with `PATCH` and the owner’s signature instead.',
    status: 200,
    // The second attempt meets a sale that is cancelled, and is refused.
    retry: 'safe',
    parameters: NftSalePath,
    response: NftSale,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'SALE_CLOSED', 'SALE_LISTED'],
    example: {
      parameters: { id: ids.nftSale },
      response: { ...draft, state: 'CANCELLED', updatedAt: listed.updatedAt, typedData: null },
    },
  },

  listNftListings: {
    method: 'GET',
    path: '/marketplace/nfts/listings',
    access: 'credential',
    tag: 'Marketplace',
    sdk: 'nftListings.list',
    summary: 'List digital keys for sale',
    description:
      'Lists the sales of all holders that are `LISTED` and have not expired, newest first unless `orderBy` says otherwise. ' +
      'Each has what a wallet needs to buy it. The list is at most one second old.',
    status: 200,
    retry: 'safe',
    query: NftListingQuery,
    response: NftListingPage,
    roundTrips: 0,
    example: {
      query: { planet: '7', maxPrice: '2', orderBy: 'price' },
      response: { listings: [listing], pageMetaDto: onlyPage },
    },
  },
});
