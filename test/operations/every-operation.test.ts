import { randomUUID } from 'node:crypto';
import {
  bodyLimitOf,
  describeBodyLimit,
  type ErrorCode,
  errorTable,
  failure,
  type Operation,
  operationList,
} from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { openOperationRequests } from '../support/operation-requests.ts';
import { openSandbox, type Reply } from '../support/storefront.ts';
import { unknownId } from '../support/storefront-data.ts';

/** What holds for every operation of the table. Adding an operation there adds it to these tests. */

const storefront = await openSandbox();
const { holder, stranger, admin, nobody, forger } = storefront;
const requests = await openOperationRequests(storefront, 1);

const select = (condition: (operation: Operation) => boolean) =>
  operationList.filter(condition).map((operation) => [operation.id, operation] as const);
const declares = (code: ErrorCode) => (operation: Operation) => operation.errors?.includes(code) ?? false;
const hasParameter = ({ parameters }: Operation) => parameters !== undefined;

function expectError(reply: Reply, code: ErrorCode, message: string = errorTable[code].message): void {
  const { status } = errorTable[code];
  const reason = status === 401 ? { reason: expect.stringMatching(/^[\x20-\x7e]+$/) } : {};
  expect([reply.status, reply.envelope]).toEqual([status, { ...failure(code, message), ...reason }]);
}

describe('without valid credentials', () => {
  const unauthorized = ({ access }: Operation) =>
    access === 'credential' ? 'User is not authorized' : 'Unauthorized';

  it.each(select(({ access }) => access !== 'public'))(
    '%s returns 401 to a caller without credentials',
    async (id, operation) => {
      const send = await requests.prepareRefused(id, { caller: nobody });
      const reply = await send();
      expectError(reply, 'CREDENTIALS_MISSING', unauthorized(operation));
      const schemes = { credential: /^Signature /, provider: /^Webhook / };
      const scheme = new Map(Object.entries(schemes)).get(operation.access) ?? /^Bearer /;
      expect(reply.headers.get('www-authenticate')).toMatch(scheme);
    },
  );

  it.each(select(({ access }) => access === 'credential'))(
    '%s returns 401 to a signature of another key',
    async (id, operation) => {
      const send = await requests.prepareRefused(id, { caller: forger });
      const reply = await send();
      expectError(reply, 'SIGNATURE_INVALID', unauthorized(operation));
      expect(reply.headers.get('www-authenticate')).toMatch(/^Signature /);
    },
  );

  it.each(select(({ access }) => access === 'jwt' || access === 'administrator'))(
    '%s returns 401 to a signed request, since it accepts only a JWT',
    async (id, operation) => {
      for (const caller of [holder, forger]) {
        const send = await requests.prepareRefused(id, { caller });
        expectError(await send(), 'TOKEN_REQUIRED', unauthorized(operation));
      }
    },
  );
});

describe('the wrong kind of caller', () => {
  it.each(select(declares('HOLDER_REQUIRED')))('%s returns 403 to an administrator', async (id) => {
    const send = await requests.prepareRefused(id, { caller: admin });
    expectError(await send(), 'HOLDER_REQUIRED');
  });

  it.each(select(({ access }) => access === 'administrator'))('%s returns 403 to a holder', async (id) => {
    const send = await requests.prepareRefused(id, { caller: holder.signedIn });
    expectError(await send(), 'ADMINISTRATOR_REQUIRED');
  });
});

describe('a path parameter', () => {
  it.each(select(hasParameter))('%s returns 400 for an id that is malformed', async (id, { parameters }) => {
    const [name] = Object.keys(parameters?.properties ?? {});
    for (const value of [
      '7',
      'Summary',
      `${unknownId}0`,
      unknownId.slice(1),
      '%00',
      `${unknownId}%00`,
      '__proto__',
    ]) {
      const send = await requests.prepareRefused(id, { id: value });
      const reply = await send();
      expect([value, reply.status, reply.envelope]).toEqual([
        value,
        400,
        failure('VALIDATION_FAILED', undefined, [
          name === 'eventId' ? 'eventId must be the id of an event' : `${name} must be a UUID`,
        ]),
      ]);
    }
  });

  const nouns: Readonly<Record<string, string>> = {
    clientId: 'Client',
    holderId: 'Holder',
    orderId: 'Order',
    cartId: 'Cart',
    saleId: 'Sale',
    strainId: 'Strain',
    planetId: 'Planet',
    eventId: 'Event',
    webhookId: 'Webhook',
    sessionId: 'Session',
  };
  const nounOf = ({ path, parameters }: Operation) =>
    path.includes('{shipmentId}')
      ? 'Shipment'
      : (nouns[Object.keys(parameters?.properties ?? {})[0] ?? ''] ??
        (path.startsWith('/keys') ? 'Key' : 'Sale'));

  it.each(select(hasParameter))(
    '%s returns 404 for a resource that does not exist',
    async (id, operation) => {
      const isEvent = operation.path.includes('{eventId}');
      const send = await requests.prepareRefused(id, { id: isEvent ? `evt_${'7'.repeat(29)}` : unknownId });
      expectError(await send(), 'RESOURCE_NOT_FOUND', `${nounOf(operation)} not found`);
    },
  );

  it.each(select((operation) => hasParameter(operation) && declares('NOT_OWNED')(operation)))(
    '%s returns 403 for a resource of another holder',
    async (id, { access }) => {
      const caller = access === 'jwt' ? stranger.signedIn : stranger;
      const send = await requests.prepareRefused(id, { caller });
      const reply = await send();
      expect([reply.status, reply.envelope.code]).toEqual([403, 'NOT_OWNED']);
      expect(reply.envelope.message).toMatch(/belongs to another holder/);
      expect(reply.envelope.data).toBeNull();
    },
  );
});

describe('a body', () => {
  const withBody = select(({ body }) => body !== undefined);

  it.each(withBody)('%s returns 413 for a body over its limit', async (id, operation) => {
    const limitBytes = bodyLimitOf(operation);
    const send = await requests.prepareRefused(id, { body: { text: 'a'.repeat(limitBytes) } });
    expectError(await send(), 'PAYLOAD_TOO_LARGE', describeBodyLimit(limitBytes));
  });

  it.each(withBody)('%s returns 415 for another content type', async (id) => {
    const send = await requests.prepareRefused(id, { headers: { 'content-type': 'text/plain' } });
    expectError(await send(), 'UNSUPPORTED_MEDIA_TYPE');
  });

  const ofAdministrators = select(({ access, method }) => access === 'administrator' && method !== 'GET');
  it.each(ofAdministrators)('%s returns 403 to a holder, whatever the content type', async (id) => {
    for (const type of ['text/plain', 'none']) {
      const headers = { 'content-type': type };
      const send = await requests.prepareRefused(id, { caller: holder.signedIn, headers });
      expectError(await send(), 'ADMINISTRATOR_REQUIRED');
    }
  });

  it.each(withBody.filter(([, { ignoresUnknownBody }]) => !ignoresUnknownBody))(
    '%s returns 400 for malformed JSON and for duplicate names',
    async (id) => {
      for (const [body, issue] of [
        ['{"a":', 'body must be valid JSON'],
        ['{"a":1,"a":2}', 'body must not contain the name "a" twice'],
        ['[]', 'body must be an object'],
      ] as const) {
        const send = await requests.prepareRefused(id, { body });
        const { envelope } = await send();
        expect(envelope).toEqual(failure('VALIDATION_FAILED', undefined, [issue]));
      }
    },
  );
});

describe('a field that the operation does not know', () => {
  const readsBody = select(
    ({ method, ignoresUnknownBody, upload }) => method !== 'GET' && !ignoresUnknownBody && !upload,
  );

  it.each(readsBody)('%s returns 400 that names each', async (id) => {
    const send = await requests.prepareRefused(id, {
      change: (body) => ({ ...body, colour: 'red', size: null }),
    });
    expect((await send()).envelope).toEqual(
      failure('VALIDATION_FAILED', undefined, ['colour should not exist', 'size should not exist']),
    );
  });

  const nested = readsBody.flatMap(([id, { body }]) =>
    listNestedObjects(body ?? {}).map(([path, wrap]) => [id, path, wrap] as const),
  );

  it.each(nested)('%s returns 400 for one in %s', async (id, path, wrap) => {
    const send = await requests.prepareRefused(id, {
      change: (body) => ({ ...body, ...wrap({ colour: 'red' }) }),
    });
    const { status, envelope } = await send();
    expect([status, envelope.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(envelope.data).toContain(`${path}.colour should not exist`);
  });

  it.each(readsBody.filter(([, operation]) => hasParameter(operation)))(
    '%s accepts one that repeats the id of the path',
    async (id, { parameters, status }) => {
      const [name = ''] = Object.keys(parameters?.properties ?? {});
      const send = await requests.prepare(id, { change: (body, subject) => ({ ...body, [name]: subject }) });
      expect((await send()).status).toBe(status);
    },
  );

  it.each(select(({ ignoresUnknownBody }) => ignoresUnknownBody === true))(
    '%s ignores it',
    async (id, { status }) => {
      const send = await requests.prepare(id, { body: { colour: 'red' } });
      expect((await send()).status).toBe(status);
    },
  );
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

type Wrap = (inner: object) => object;

/** The paths of all objects with known fields inside a schema, each with a function that puts a value there. */
function listNestedObjects(schema: JsonSchema): [path: string, wrap: Wrap][] {
  const choices = [schema, ...(schema.anyOf ?? [])];
  return choices.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, inner]) =>
      listObjects(inner).map(([path, wrap]): [string, Wrap] => [
        path ? `${name}.${path}` : name,
        (value) => ({ [name]: wrap(value) }),
      ]),
    ),
    ...(items
      ? listObjects(items).map(([path, wrap]): [string, Wrap] => [
          path ? `0.${path}` : '0',
          (value) => [wrap(value)],
        ])
      : []),
  ]);
}

function listObjects(schema: JsonSchema): [path: string, wrap: Wrap][] {
  const isObject = [schema, ...(schema.anyOf ?? [])].some(({ properties }) => properties);
  return [
    ...(isObject ? [['', (value: object) => value] as [string, Wrap]] : []),
    ...listNestedObjects(schema),
  ];
}

describe('an Idempotency-Key', () => {
  const idempotent = select(({ retry }) => retry === 'idempotency-key');

  it.each(idempotent)(
    '%s takes effect once and repeats its response byte for byte',
    async (id, { status }) => {
      const idempotencyKey = randomUUID();
      const send = await requests.prepare(id, { idempotencyKey });
      const [first, second] = [await send(), await send()];
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([status, null]);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([status, 'true']);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    },
  );

  it.each(idempotent)('%s returns 422 for the key of another request', async (id, { status }) => {
    const idempotencyKey = randomUUID();
    const send = await requests.prepare(id, { idempotencyKey });
    expect((await send()).status).toBe(status);
    const other = await requests.prepare(id, { idempotencyKey, isIndented: true });
    expectError(await other(), 'IDEMPOTENCY_KEY_REUSED');
  });

  it.each(idempotent)('%s returns 400 for an overlong key', async (id) => {
    const long = await requests.prepareRefused(id, { idempotencyKey: 'k'.repeat(256) });
    expect((await long()).envelope).toEqual(
      failure('VALIDATION_FAILED', undefined, [
        'idempotency-key must be shorter than or equal to 255 characters',
      ]),
    );
  });
});
