import type { OpenApiDocument } from '@keyfront/api-reference';
import { errorCodes, errorCodesOf, errorTable, eventTypes, failure, operationList } from '@keyfront/protocol';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { describeService, type ServiceDescription } from './describe-service.ts';

const service: ServiceDescription = {
  operations: operationList,
  baseUrl: 'https://shop.test/api/v1',
  stagingUrl: 'https://staging.shop.test/api/v1',
  versionPrefix: '/api/v1',
  compileValidator: () => () => ['name must be a string'],
};
const document: OpenApiDocument = JSON.parse(JSON.stringify(await describeService(service)));

interface MediaType {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<
    string,
    {
      readonly summary: string;
      readonly value: { readonly code: string; readonly message: string; readonly reason?: string };
    }
  >;
}
interface Response {
  readonly $ref?: string;
  readonly headers: Record<string, { readonly $ref: string }>;
  readonly content: { readonly 'application/json': MediaType };
}

function resolve(response: Response): Response {
  if (response.$ref === undefined) return response;
  const shared = document.components.responses as Record<string, Response>;
  return shared[response.$ref.slice('#/components/responses/'.length)] ?? response;
}

const operations = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => ({
    ...operation,
    id: operation.operationId,
    // A page has no JSON.
    responses: Object.fromEntries(
      Object.entries(operation.responses as Record<string, Response>)
        .map(([status, response]) => [status, resolve(response)] as const)
        .filter(([, { content }]) => 'application/json' in content),
    ),
    body: (operation.requestBody?.content as Response['content'] | undefined)?.['application/json'],
  }));

interface WebhookDescription {
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly pattern?: string } }[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: MessageSchema } };
  };
}
interface MessageSchema {
  readonly properties: {
    readonly tokenId: { readonly type: string };
    readonly data: { readonly $ref: string };
  };
}

describe('webhooks', () => {
  const { webhooks = {} } = document as unknown as {
    webhooks?: Record<string, { post: WebhookDescription }>;
  };
  const messageOf = (type: string) =>
    webhooks[type]?.post.requestBody.content['application/json'].schema.properties;

  it('are described for every type of event, and for a test', () => {
    expect(Object.keys(webhooks)).toEqual([...eventTypes, 'webhook.test']);
    expect(messageOf('webhook.test')?.data.$ref).toBe('#/components/schemas/WebhookTestData');
    const [id] = webhooks['webhook.test']?.post.parameters ?? [];
    expect(id?.name).toBe('webhook-id');
    expect('test_019a8f3e-7c00-7000-8000-000000000811').toMatch(new RegExp(id?.schema.pattern ?? '$^'));
  });

  it('name a digital key, but for events about the catalogue', () => {
    for (const type of eventTypes)
      expect([type, messageOf(type)?.tokenId.type]).toEqual([
        type,
        type.startsWith('strain.') ? 'null' : 'integer',
      ]);
  });
});

/** Every value below a key, anywhere in the document. */
function findAll(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...findAll(inner, key),
  ]);
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });

/** By the text of their schema: most operations share the schemas of their errors, and compiling one takes long. */
const validators = new Map<string, ValidateFunction>();

/** Validates a value against a schema of the document, references included. */
function validate(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const isValid = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, isValid);
  return isValid(value) ? [] : [ajv.errorsText(isValid.errors)];
}

describe('the OpenAPI document', () => {
  it('describes every operation of the protocol under its own id and name', () => {
    expect(operations.map(({ id, summary }) => [id, summary]).sort()).toEqual(
      operationList.map(({ id, summary }) => [id, summary]).sort(),
    );
  });

  it('offers both forms of signatures and a token where an operation accepts a credential', () => {
    const schemes = document.components.securitySchemes as Record<string, { name?: string; scheme?: string }>;
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { id, access } of operationList) {
      const { security = [] } = described.find(({ operationId }) => operationId === id) ?? {};
      const headers = security.map((alternative) =>
        Object.keys(alternative).map((name) => schemes[name]?.name ?? schemes[name]?.scheme),
      );
      const signed = [
        ['x-auth-apikey', 'x-auth-signature'],
        ['Signature-Input', 'Signature'],
      ];
      if (access === 'credential') expect([id, headers]).toEqual([id, [...signed, ['bearer']]]);
      else expect([id, headers.flat()]).not.toEqual([id, expect.arrayContaining(['Signature'])]);
    }
  });

  it('requires a body unless all of its fields are optional', () => {
    const isRequired = (id: string) => operations.find((each) => each.id === id)?.requestBody?.required;
    expect(['rotateKey', 'updateOrder', 'updateClient', 'addToCart'].map(isRequired)).toEqual([
      ...[false, true, true, true],
    ]);
  });

  it('gives no schema the name of something that every program has: a generated client would shadow it', () => {
    const ofJavaScript = Object.getOwnPropertyNames(globalThis);
    const ofBrowsers = ['Comment', 'Document', 'History', 'Image', 'Location', 'Node', 'Option', 'Text'];
    const ofPython = ['Exception', 'None', 'Warning', 'False', 'True'];
    const taken = new Set([...ofJavaScript, ...ofBrowsers, ...ofPython]);
    expect(Object.keys(document.components.schemas as object).filter((name) => taken.has(name))).toEqual([]);
  });

  it('names its schemas', () => {
    const names = Object.keys(document.components.schemas as object);
    expect(names).toEqual(
      expect.arrayContaining([
        'ApiKey',
        'Client',
        'ErrorCode',
        'ErrorResponse',
        'Order',
        'Planet',
        'Strain',
        'ValidationError',
      ]),
    );
    for (const { id, responses, body } of operations) {
      const success = (responses[200] ?? responses[201])?.content['application/json'].schema;
      if (!success) continue;
      const [data] = findAll(success, 'data');
      if (id !== 'getHealthStatus') expect([id, data]).toEqual([id, { $ref: expect.any(String) }]);
      if (body) expect([id, body.schema]).toEqual([id, { $ref: expect.any(String) }]);
    }
  });

  it('has a valid example for every request body and every response', { tags: ['long'] }, () => {
    const bodies = operations.filter(({ body }) => body);
    expect(bodies.length).toBeGreaterThanOrEqual(19);
    for (const { id, body, responses } of operations) {
      if (body) expect([id, validate(body.schema, body.example)]).toEqual([id, []]);
      for (const [status, { content }] of Object.entries(responses)) {
        const { schema, example, examples } = content['application/json'];
        const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
        expect(values.length).toBeGreaterThan(0);
        for (const value of values) {
          expect([id, status, validate(schema, value)]).toEqual([id, status, []]);
          expect(value).toMatchObject({ statusCode: Number(status) });
        }
      }
    }
  });

  it('describes the 400 of a request that is not valid HTTP, for every operation', () => {
    for (const { id, responses } of operations) {
      const { schema = {} } = responses[400]?.content['application/json'] ?? {};
      expect([id, validate(schema, failure('MALFORMED_REQUEST'))]).toEqual([id, []]);
      expect([id, validate(schema, { ...failure('MALFORMED_REQUEST'), code: undefined })]).not.toEqual([
        id,
        [],
      ]);
    }
  });

  it('has valid examples for its parameters', () => {
    for (const { id, parameters = [] } of operations) {
      for (const { name, schema, example } of parameters) {
        if (example === undefined) continue;
        expect([id, name, validate(schema, example)]).toEqual([id, name, []]);
      }
    }
  });

  it('accepts every form of a date that the service accepts', () => {
    const dates = operations.flatMap(({ id, parameters = [] }) =>
      parameters.filter(({ name }) => /^(start|end)Date$/.test(name)).map((each) => ({ id, ...each })),
    );
    expect(dates).toHaveLength(10);
    const forms = [
      '',
      '2026-11-01',
      '2026-11-01T09:30:00.000Z',
      '2026-11-01T09:30+02:00',
      '2026-11-01 09:30:00',
    ];
    for (const { id, name, schema } of dates) {
      for (const text of forms)
        expect([id, name, text, validate(schema, text)]).toEqual([id, name, text, []]);
      expect([id, name, validate(schema, 'yesterday')]).not.toEqual([id, name, []]);
    }
  });

  it('requires a name for a new API key', () => {
    const { schema = {} } = operations.find(({ id }) => id === 'createKey')?.body ?? {};
    expect(validate(schema, {})).not.toEqual([]);
    expect(validate(schema, { keyName: '  ' })).not.toEqual([]);
    for (const body of [{ keyName: 'Shop' }, { label: 'Shop' }]) expect(validate(schema, body)).toEqual([]);
  });

  it('says how long the service keeps a secret key', () => {
    const schemas = document.components.schemas as Record<string, object>;
    expect(JSON.stringify(schemas.CreatedKey)).toMatch(/Idempotency-Key.*24 hours/);
    expect(JSON.stringify(document)).not.toContain('never stored');
  });

  it('accepts every percentage with two decimals', () => {
    const { schema = {} } = operations.find(({ id }) => id === 'createStrain')?.body ?? {};
    const { body: example } = operationList.find(({ id }) => id === 'createStrain')?.example ?? {};
    for (const thc of [0, 0.07, 0.29, 8.2, 19.99, 100]) {
      expect([thc, validate(schema, { ...example, thc })]).toEqual([thc, []]);
    }
  });

  it('describes a page as HTML', () => {
    const described = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .find(({ operationId }) => operationId === 'getInvoice');
    const page = described?.responses[200] as { content: Record<string, object> } | undefined;
    expect(Object.keys(page?.content ?? {})).toEqual(['text/html']);
  });

  it('lists the error codes of each operation, and all codes', () => {
    for (const operation of operationList) {
      const described = operations.find(({ id }) => id === operation.id);
      const codes = Object.values(described?.responses ?? {}).flatMap(({ content }) =>
        Object.values(content['application/json'].examples ?? {}).map(({ value }) => value.code),
      );
      expect(codes.sort()).toEqual([...errorCodesOf(operation)].sort());
    }
    const schemas = document.components.schemas as { ErrorCode: { enum: string[] } };
    expect(schemas.ErrorCode.enum).toEqual(errorCodes);
  });

  it('sends the Idempotency-Key in the curl sample of every operation that takes one', () => {
    for (const { id, parameters = [], 'x-codeSamples': samples = [] } of operations) {
      const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
      const curl = samples.find(({ label }) => label === 'curl')?.source;
      // The callbacks of providers have no curl sample.
      expect([id, curl?.includes('idempotency-key') ?? false]).toEqual([id, takesKey]);
    }
  });

  it('summarizes every example of an error by its own message, or by its reason', () => {
    for (const { id, responses } of operations) {
      for (const { content } of Object.values(responses)) {
        for (const { summary, value } of Object.values(content['application/json'].examples ?? {})) {
          expect([id, value.code, summary]).toEqual([id, value.code, value.reason ?? value.message]);
        }
      }
    }
  });

  it('documents the headers of its responses', () => {
    const headersOf = (id: string, status: number) =>
      Object.keys(operations.find((each) => each.id === id)?.responses[status]?.headers ?? {});
    expect(headersOf('createOrder', 201)).toEqual([
      'x-request-id',
      'ratelimit',
      'ratelimit-policy',
      'idempotent-replayed',
    ]);
    expect(headersOf('createOrder', 401)).toEqual(['x-request-id', 'www-authenticate']);
    expect(headersOf('createOrder', 409)).toContain('retry-after');
    expect(headersOf('listPlanets', 429)).toEqual(expect.arrayContaining(['retry-after', 'ratelimit']));
    expect(headersOf('listPlanets', 503)).toContain('retry-after');
    for (const reference of findAll(document, '$ref')) {
      const [, , kind = '', name = ''] = String(reference).split('/');
      expect(Object.keys(document.components[kind] as object)).toContain(name);
    }
  });

  it('gives every enumeration a type, and uses standard formats only', () => {
    const enumerations = findAll(document, 'schema').concat(
      findAll(document.components.schemas, 'properties'),
    );
    const withEnum = (value: unknown): object[] =>
      typeof value !== 'object' || value === null
        ? []
        : [...('enum' in value ? [value] : []), ...Object.values(value).flatMap(withEnum)];
    const found = withEnum(enumerations);
    expect(found.length).toBeGreaterThan(20);
    for (const each of found) expect(each).toHaveProperty('type', 'string');
    const standard = ['uuid', 'date-time', 'date', 'email', 'uri'];
    for (const format of findAll(document, 'format')) expect(standard).toContain(format);
  });

  it('says which changes need at least one field', () => {
    const schemas = document.components.schemas as Record<string, { minProperties?: number }>;
    const changes = [
      'AdminClientChange',
      'AdminOrderChange',
      'ClientChange',
      'PlanetChange',
      'SaleChange',
      'StrainChange',
    ];
    for (const name of changes) expect([name, schemas[name]?.minProperties]).toEqual([name, 1]);
  });

  it('has a description for every field, parameter and tag', () => {
    const schemas = document.components.schemas as Record<string, { properties?: Record<string, object> }>;
    const silent = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(
          ([, field]) =>
            !JSON.stringify(field).includes('"description"') && !JSON.stringify(field).includes('$ref'),
        )
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });

  it('maps every status of the error table to a description', () => {
    for (const code of errorCodes) expect(errorTable[code].status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(operations)).not.toContain('"description":"Error"');
  });
});

it('lets other work run while the document is made', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const operations = operationList.slice(0, 5);
  const described = await describeService({ ...service, operations });
  isDone = true;
  expect(Object.values(described.paths).flatMap(Object.values)).toHaveLength(operations.length);
  expect(turns).toBeGreaterThanOrEqual(operations.length);
});
