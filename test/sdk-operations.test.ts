import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@keyfront/api-reference';
import {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  Keyfront,
  NotFoundError,
  ValidationError,
} from '@keyfront/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileValidator } from '../packages/server/src/pipeline/input/validator.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { signTypedData, typedDataOf } from './support/nft-sales.ts';
import { makeOpensslKey } from './support/openssl.ts';
import { unknownId } from './support/storefront-data.ts';

interface Answered {
  readonly operationId: string;
  readonly faults: string[];
}

let service: GuardedApp;
let document: OpenApiDocument;
const answered: Answered[] = [];

/** Sends a request, and holds its answer against what the document says of the operation. */
const watchingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  answered.push(await judge(init?.method ?? '', new URL(String(input)).pathname, response.clone()));
  return response;
};

async function judge(method: string, path: string, response: Response): Promise<Answered> {
  const found = Object.entries(document.paths)
    .filter(([template]) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    // `/dapp/orders/summary` is no order by the id `summary`.
    .toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
  const operation = found[0]?.[1][method.toLowerCase()];
  const expected = operation?.responses[response.status] as
    | { content: { 'application/json': { schema: Parameters<typeof compileValidator>[0] } } }
    | undefined;
  if (!operation || !expected) return { operationId: '', faults: [`${method} ${path}: ${response.status}`] };
  const { schema } = expected.content['application/json'];
  // Those of errors are behind references; here every answer is to be a success.
  const faults = '$ref' in schema ? [await response.text()] : compileValidator(schema)(await response.json());
  return { operationId: operation.operationId, faults };
}

let nobody: Keyfront;
let storefront: Keyfront;

beforeAll(async () => {
  service = await startGuardedApp();
  document = (await (await fetch(`${service.base}/openapi.json`)).json()) as OpenApiDocument;
  const { key, origin } = service;
  const secretKey = readFileSync(key.file, 'utf8');
  nobody = new Keyfront({ baseUrl: origin, fetch: watchingFetch });
  storefront = new Keyfront({ baseUrl: origin, apiKey: key.apiKey, secretKey, fetch: watchingFetch });
});
afterAll(() => service.close());

/** Runs a call and holds it against the operation that it is to be. */
async function call<Data>(operationId: string, work: Promise<Data>): Promise<Data> {
  const data = await work;
  expect(answered.at(-1)).toEqual({ operationId, faults: [] });
  return data;
}

const newStrain = (name: string) => ({
  name,
  type: 'HYBRID' as const,
  thc: 18.5,
  cbd: 0.8,
  retailPrice: '12.50',
  currency: 'EUR',
  stockQuantity: 240,
  planet: '1',
});

/** A client who may order, by way of the operations. */
async function enterClient(admin: Keyfront, email: string): Promise<string> {
  const { id } = await storefront.clients.create({ firstName: 'Ada', lastName: 'Example', email });
  await admin.admin.clients.update(id, { adminApproval: 'VERIFIED', isKYCVerified: true });
  return id;
}

it('has a method for each operation of the document, whose answers are as the document says', async () => {
  const { ada, admin: adminAccount } = service;
  const wallet = await call('signIn', nobody.signIn(ada));
  const admin = await call('signIn', nobody.signIn({ ...adminAccount, admin: true }));
  await call('requestNonce', nobody.auth.nonce({ walletAddress: ada.address }));
  expect(await call('getHealthStatus', nobody.health.status())).toBe('Success');

  const planet = await call('createPlanet', admin.admin.planets.create({ number: 7, name: 'Amberlon' }));
  await call('updatePlanet', admin.admin.planets.update(planet.id, { description: 'Two slow suns.' }));
  const strain = await call('createStrain', admin.admin.strains.create(newStrain('Lunar Saffron')));
  const changed = await call('updateStrain', admin.admin.strains.update(strain.id, { stockChange: -40 }));
  expect(changed.stockQuantity).toBe(200);
  const { planets } = await call('listPlanets', storefront.planets.list());
  expect(planets.map(({ name }) => name)).toEqual(['Verdane', 'Amberlon']);
  const { strains } = await call('listStrains', storefront.strains.list({ search: "lunar saffron's" }));
  expect(strains).toEqual([]);
  expect(await call('getStrain', storefront.strains.get(strain.id))).toEqual(changed);

  const newClient = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };
  const client = await call('createClient', storefront.clients.create(newClient));
  await call('listClients', storefront.clients.list({ search: 'ada exa', isActive: 'true', take: 5 }));
  await call('getClient', storefront.clients.get(client.id));
  await call('updateClient', storefront.clients.update(client.id, { firstName: 'Adé' }));
  await call('getClientSummary', storefront.clients.summary());
  await call('getClientStatusBreakdown', storefront.clients.statusBreakdown());
  await call('listAdminClients', admin.admin.clients.list({ tokenId: '1' }));
  const approval = { adminApproval: 'VERIFIED', isKYCVerified: true } as const;
  await call('updateAdminClient', admin.admin.clients.update(client.id, approval));

  const addition = { clientId: client.id, cartItems: [{ strainId: strain.id, quantity: 3 }] };
  const cart = await call('addToCart', storefront.carts.add(addition));
  await call('listCarts', storefront.carts.list({ clientId: client.id }));
  const emptied = await call('deleteFromCart', storefront.carts.delete(cart.id, { strainId: strain.id }));
  expect(emptied.cartItems).toEqual([]);
  await storefront.carts.add(addition);
  const order = await call('createOrder', storefront.orders.create({ clientId: client.id }));
  expect(order.lines).toMatchObject([{ strainId: strain.id, quantity: 3, lineAmount: '37.50' }]);
  await call('listOrders', storefront.orders.list({ status: 'PENDING', searchBy: 'email', search: 'ADA@' }));
  expect(await call('getOrder', storefront.orders.get(order.id))).toEqual(order);
  await call('getOrderHistory', storefront.orders.history(order.id));
  await call('getOrderSummary', storefront.orders.summary());
  await call('getOrderChart', storefront.orders.chart({ interval: 'week' }));
  await call('exportOrders', storefront.orders.export().page(1));
  await call('listAdminOrders', admin.admin.orders.list());
  await call('updateAdminOrder', admin.admin.orders.update(order.id, { adminApproval: 'VERIFIED' }));

  const sale = await call('createSale', storefront.sales.create({ clientId: client.id }));
  await call('updateSale', storefront.sales.update(sale.id, { stage: 'CLOSED' }));
  const own = await call('updateSale', storefront.sales.update(null, { description: 'Ours' }));
  expect(own).toMatchObject({ clientId: null, description: 'Ours' });
  await call('listSales', storefront.sales.list({ stage: 'CLOSED' }));
  await call('getSaleSummary', storefront.sales.summary());
  await call('getSaleHistory', storefront.sales.history(sale.id));

  const nftSale = await call('createNftSale', storefront.nftSales.create({ tokenId: 1, price: '1.5' }));
  await call('listNftSales', storefront.nftSales.list({ tokenId: '1' }));
  await call('getNftSale', storefront.nftSales.get(nftSale.id));
  const signature = await signTypedData(ada, typedDataOf(nftSale));
  const listed = await call(
    'updateNftSale',
    storefront.nftSales.update(nftSale.id, { tokenId: 1, signature }),
  );
  expect(listed.state).toBe('LISTED');
  await call('listTransactions', storefront.transactions.list({ type: 'LIST' }));

  const key = await call('createKey', wallet.keys.create({ keyName: 'Second storefront' }));
  await call('listKeys', wallet.keys.list());
  await call('renameKey', wallet.keys.rename(key.id, 'Third storefront'));
  expect((await call('revokeKey', wallet.keys.revoke(key.id))).revokedAt).not.toBeNull();
  await call('getHolder', wallet.holder.me());
  await call('listNfts', wallet.holder.nfts());
  await call('changePrimaryNft', wallet.holder.setPrimaryNft(1));
  await call('listAudit', admin.admin.audit.list({ subject: 'ORDER' }));

  const inDocument = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect([...new Set(answered.map(({ operationId }) => operationId))].sort()).toEqual(inDocument.sort());
});

describe('an export of orders', () => {
  it('has every order once: one by one, by pages and as a file', async () => {
    const admin = await nobody.signIn({ ...service.admin, admin: true });
    const strain = await admin.admin.strains.create(newStrain('Solar Mint'));
    const clientId = await enterClient(admin, 'export@example.org');
    const placed: string[] = [];
    for (let count = 0; count < 5; count++) {
      await storefront.carts.add({ clientId, cartItems: [{ strainId: strain.id, quantity: 1 }] });
      placed.push((await storefront.orders.create({ clientId })).invoiceNumber);
    }
    const found = storefront.orders.export({ search: 'export@', searchBy: 'email', orderBy: 'asc', take: 2 });

    const walked: string[] = [];
    for await (const order of found) walked.push(order.invoiceNumber);
    expect(walked).toEqual(placed);

    const last = await found.page(3);
    expect(last.orders.map(({ invoiceNumber }) => invoiceNumber)).toEqual(placed.slice(4));

    let csv = '';
    for await (const piece of new Keyfront(signing()).orders.export({ search: 'export@' }).csv()) {
      csv += new TextDecoder().decode(piece);
    }
    expect(csv.trim().split('\r\n')).toHaveLength(1 + placed.length);
    for (const invoiceNumber of placed) expect(csv).toContain(invoiceNumber);
  });
});

const signing = () => ({
  baseUrl: service.origin,
  apiKey: service.key.apiKey,
  secretKey: readFileSync(service.key.file, 'utf8'),
});

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('errors of the real service', () => {
  it('name every broken rule', async () => {
    const error = await errorOf(storefront.clients.list({ page: 0, take: 5000 }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      status: 400,
      requestId: expect.stringMatching(/./),
      sentences: ['page must not be less than 1', 'take must not be greater than 1000'],
    });
  });

  it('give the reason of a refused signature, and explain it', async () => {
    const { file } = makeOpensslKey(service.folder, 'stranger');
    const stranger = new Keyfront({ ...signing(), secretKey: readFileSync(file) });
    const error = await errorOf(stranger.strains.list({ take: 5 }));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, reason: expect.stringContaining('take=5') });
    const { keysMatch } = await stranger.explain({ method: 'GET', path: '/dapp/strains?take=5' });
    expect(keysMatch).toBe(false);
  });

  it('give the reason of a token that is none', async () => {
    const error = await errorOf(new Keyfront({ baseUrl: service.base, token: 'a.b.c' }).holder.me());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect((error as AuthenticationError).reason).not.toBeNull();
  });

  it('tell the forbidden from what is not there', async () => {
    const newClient = { firstName: 'Ben', lastName: 'Example', email: 'pending@example.org' };
    const { id } = await storefront.clients.create(newClient);
    expect(await errorOf(storefront.orders.create({ clientId: id }))).toBeInstanceOf(ForbiddenError);
    expect(await errorOf(storefront.orders.get(unknownId))).toBeInstanceOf(NotFoundError);
    expect(await errorOf(storefront.request('GET', '/no/such/address'))).toBeInstanceOf(NotFoundError);
  });

  it('refuse a key that was used for another request', async () => {
    const enter = (email: string) =>
      storefront.clients.create(
        { firstName: 'Cy', lastName: 'Example', email },
        { idempotencyKey: 'the first of its kind' },
      );
    const first = await enter('cy@example.org');
    expect(await enter('cy@example.org')).toEqual(first);
    expect(await errorOf(enter('other@example.org'))).toBeInstanceOf(ConflictError);
  });
});
