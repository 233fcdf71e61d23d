import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Operation, operationList } from '@keyfront/protocol';
import {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  Keyfront,
  NotFoundError,
  ValidationError,
} from '@keyfront/sdk';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { makeOpensslKey } from './support/openssl.ts';
import { type MakeCall, operationCalls } from './support/operation-calls.ts';
import { openSandbox, type Storefront, type TestCaller } from './support/storefront.ts';
import { unknownId } from './support/storefront-data.ts';

interface OperationInput {
  /** Values of the path parameters, in the order of the path. */
  readonly parameters: readonly string[];
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

type OperationWithMethod = Operation & { readonly sdk: string };

/** The SDK has no methods for providers. Streams have tests of their own. */
const operationsWithMethods = operationList.filter(
  (operation): operation is OperationWithMethod => operation.sdk !== undefined && !operation.stream,
);

type Method = (...input: unknown[]) => unknown;

/** The methods that are written by hand, because their arguments do not follow from the table. */
const handWritten: Readonly<Record<string, (keyfront: Keyfront, input: OperationInput) => unknown>> = {
  'orders.export': (keyfront, { query }) => keyfront.orders.export(query).page(1),
  'sales.update': (keyfront, { query, body }) =>
    keyfront.sales.update((query?.id as string | undefined) ?? null, body as object),
};

/** Calls the SDK method of an operation. */
async function callMethod(
  keyfront: Keyfront,
  operation: OperationWithMethod,
  input: OperationInput,
): Promise<unknown> {
  const ownCall = handWritten[operation.sdk];
  if (ownCall) return ownCall(keyfront, input);
  const words = operation.sdk.split('.');
  const group = words.slice(0, -1).reduce<object>((object, word) => Reflect.get(object, word), keyfront);
  const method: Method = Reflect.get(group, words.at(-1) ?? '');
  expect(method, `keyfront.${operation.sdk}`).toBeTypeOf('function');
  const hasBody = operation.body !== undefined || operation.upload !== undefined;
  const last = operation.query ? [input.query] : [];
  return method.call(group, ...input.parameters, ...(hasBody ? [input.body] : []), ...last);
}

const parametersOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

describe('each operation of the table', () => {
  it.each(operationsWithMethods.map((operation) => [operation.sdk, operation] as const))(
    '%s',
    { tags: ['long'] },
    async (_sdk, operation) => {
      const { method, path, status, example } = operation;
      const sent: unknown[] = [];
      const fetch = async (input: string | URL | Request, init?: RequestInit) => {
        const { pathname, searchParams } = new URL(String(input));
        const body =
          init?.body instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(init.body)) : null;
        sent.push({ method: init?.method, path: pathname, query: Object.fromEntries(searchParams), body });
        if (operation.page) {
          return new Response(String(example.response), { headers: { 'content-type': 'text/html' } });
        }
        return Response.json({
          success: true,
          statusCode: status,
          message: 'Success',
          data: example.response,
        });
      };
      const keyfront = new Keyfront({ baseUrl: 'https://shop.example', fetch });
      const parameters = parametersOf(operation).map((name) => String(example.parameters?.[name]));
      const { body, query } = example;

      expect(await callMethod(keyfront, operation, { parameters, body, query })).toEqual(example.response);
      const expected = {
        method,
        path: `/api/v1${path.replaceAll(/\{\w+\}/g, () => parameters.shift() ?? '')}`,
        query: Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])),
        body: body ?? null,
      };
      // An export adds the number of the page.
      if (operation.sdk === 'orders.export') Object.assign(expected.query, { page: '1' });
      expect(sent).toEqual([expected]);
    },
  );
});

/** A client whose requests are sent by a caller of the test, who adds the credentials. */
function openKeyfront(origin: string, caller: TestCaller): Keyfront {
  const baseUrl = `${origin}/api/v1`;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { status, headers, text } = await caller.ask(
      init?.method ?? '',
      String(input).replace(baseUrl, ''),
      {
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(init?.body instanceof Uint8Array ? { body: Buffer.from(init.body) } : {}),
      },
    );
    return new Response(text, { status, headers });
  };
  return new Keyfront({ baseUrl, fetch });
}

describe('the responses of the service', () => {
  let storefront: Storefront;
  let calls: Record<string, MakeCall>;

  beforeAll(async () => {
    storefront = await openSandbox();
    calls = await operationCalls(storefront, 1);
  });

  const callerOf = ({ access }: Operation): TestCaller => {
    if (access === 'public') return storefront.nobody;
    if (access === 'administrator') return storefront.admin;
    return access === 'jwt' ? storefront.holder.signedIn : storefront.holder;
  };

  it.each(operationsWithMethods.map((operation) => [operation.sdk, operation] as const))(
    '%s',
    async (_sdk, operation) => {
      const {
        id,
        otherParameters,
        query,
        body,
        caller = callerOf(operation),
      } = (await calls[operation.id]?.()) ?? {};
      const keyfront = openKeyfront(storefront.service.origin, caller);
      const data = await callMethod(keyfront, operation, {
        parameters: id === undefined ? [] : [id, ...Object.values(otherParameters ?? {})],
        body,
        query: query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)),
      });
      expect([...Value.Errors(operation.response, data)]).toEqual([]);
    },
  );
});

describe('a signed request', () => {
  let service: GuardedApp;
  let storefront: Keyfront;
  let admin: Keyfront;

  const signing = () => ({
    baseUrl: service.origin,
    apiKey: service.key.apiKey,
    secretKey: readFileSync(service.key.file, 'utf8'),
  });

  beforeAll(async () => {
    service = await startGuardedApp();
    storefront = new Keyfront(signing());
    admin = await new Keyfront({ baseUrl: service.origin }).signIn({ ...service.admin, admin: true });
  });
  afterAll(() => service.close());

  const shipping = { address1: 'Rua do Exemplo 1', countryCode: 'PRT' };
  const newClient = (email: string) => ({ firstName: 'Ada', lastName: 'Example', email, shipping });

  /** A client who may order, and a strain to order. */
  async function prepareOrder(name: string) {
    const { id: clientId } = await storefront.clients.create(newClient(`${name}@example.org`));
    await admin.admin.clients.update(clientId, { adminApproval: 'VERIFIED', isKYCVerified: true });
    const strain = await admin.admin.strains.create({
      name: `Strain ${name}`,
      type: 'HYBRID',
      thc: 18.5,
      cbd: 0.8,
      retailPrice: 12.5,
      currency: 'EUR',
      stockQuantity: 240,
      countryCodes: ['PRT'],
      planet: '1',
    });
    return { clientId, strainId: strain.id };
  }

  async function placeOrder({ clientId, strainId }: { clientId: string; strainId: string }): Promise<string> {
    await storefront.carts.add({ clientId, cartItems: [{ strainId, quantity: 1 }] });
    return (await storefront.orders.create({ clientId })).invoiceNumber;
  }

  it('exports every order once: by iterating, by page and as a file', async () => {
    const prepared = await prepareOrder('export');
    const placed: string[] = [];
    for (let count = 0; count < 5; count++) placed.push(await placeOrder(prepared));
    const found = storefront.orders.export({ search: 'export@', searchBy: 'email', orderBy: 'asc', take: 2 });

    const iterated: string[] = [];
    for await (const order of found) iterated.push(order.invoiceNumber);
    expect(iterated).toEqual(placed);

    const last = await found.page(3);
    expect(last.orders.map(({ invoiceNumber }) => invoiceNumber)).toEqual(placed.slice(4));

    let csv = '';
    for await (const chunk of storefront.orders.export({ search: 'export@' }).csv()) {
      csv += new TextDecoder().decode(chunk);
    }
    expect(csv.trim().split('\r\n')).toHaveLength(1 + placed.length);
    for (const invoiceNumber of placed) expect(csv).toContain(invoiceNumber);
  });

  it('iterates over lists by cursor and by page', async () => {
    const prepared = await prepareOrder('lists');
    const placed: string[] = [];
    for (let count = 0; count < 5; count++) placed.push(await placeOrder(prepared));
    const { clientId } = prepared;

    const orders: string[] = [];
    for await (const order of storefront.orders.list({ clientId, take: 2 })) orders.push(order.invoiceNumber);
    expect(orders).toEqual(placed.toReversed());

    const stages: string[] = [];
    for await (const sale of storefront.sales.list({ clientId, take: 2 })) stages.push(sale.id);
    const { sales } = await storefront.sales.list({ clientId, take: 1000 });
    expect(stages).toEqual(sales.map(({ id }) => id));
    expect(new Set(stages).size).toBeGreaterThan(2);
  });

  it('updates the sale of the digital key only if it is meant', async () => {
    const own = await storefront.sales.update(null, { description: 'Ours' });
    expect(own).toMatchObject({ clientId: null, description: 'Ours' });
    await expect(storefront.sales.update('', { description: 'By mistake' })).rejects.toThrow(TypeError);
  });

  const errorOf = (work: PromiseLike<unknown>) =>
    work.then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  it('reports every violated rule', async () => {
    const error = await errorOf(storefront.clients.list({ page: 0, take: 5000 }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      requestId: expect.stringMatching(/./),
      docsUrl: `${service.origin}/docs/guides/errors#VALIDATION_FAILED`,
      issues: ['page must not be less than 1', 'take must not be greater than 1000'],
    });
  });

  it('reports why a signature was rejected, and explains it', async () => {
    const { file } = makeOpensslKey(service.folder, 'stranger');
    const key = createPrivateKey(readFileSync(file));
    // The SDK does not see the secret key of a signer, so the service is the first to notice.
    const { baseUrl, apiKey } = signing();
    const signer = { sign: async (payload: Uint8Array) => sign('sha256', payload, key).toString('base64') };
    const error = await errorOf(new Keyfront({ baseUrl, apiKey, signer }).strains.list({ take: 5 }));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      code: 'SIGNATURE_INVALID',
      docsUrl: `${service.origin}/docs/guides/signing`,
      reason: expect.stringContaining('take=5'),
    });
    const stranger = new Keyfront({ ...signing(), secretKey: readFileSync(file) });
    expect(await errorOf(stranger.strains.list({ take: 5 }))).toBeInstanceOf(TypeError);
    const { keysMatch } = await stranger.explain({ method: 'GET', path: '/dapp/strains?take=5' });
    expect(keysMatch).toBe(false);
  });

  it('reports why a token was rejected', async () => {
    const error = await errorOf(new Keyfront({ baseUrl: service.base, token: 'a.b.c' }).holder.me());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ code: 'TOKEN_INVALID', reason: expect.stringMatching(/./) });
  });

  it('distinguishes forbidden and missing resources', async () => {
    const { id } = await storefront.clients.create(newClient('pending@example.org'));
    const forbidden = await errorOf(storefront.orders.create({ clientId: id }));
    expect(forbidden).toBeInstanceOf(ForbiddenError);
    expect(forbidden).toMatchObject({ code: 'CLIENT_NOT_VERIFIED' });
    const missing = await errorOf(storefront.orders.get(unknownId));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    const noRoute = await errorOf(storefront.request('GET', '/no/such/route'));
    expect(noRoute).toBeInstanceOf(NotFoundError);
    expect(noRoute).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it('reports an idempotency key that was used for another request', async () => {
    const create = (email: string) =>
      storefront.clients.create(newClient(email), { idempotencyKey: 'one key for two requests' });
    const first = await create('cy@example.org');
    expect(await create('cy@example.org')).toEqual(first);
    const error = await errorOf(create('other@example.org'));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});
