import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../errors.ts';
import { bodyLimitOf, errorCodesOf, isGuarded, type Operation } from '../operation.ts';
import { maximumMedicalRecordBytes } from '../schemas/clients.ts';
import { textPatterns } from '../schemas/text-patterns.ts';
import { operationList } from './index.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat('date-time', true);

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
const inputs = ({ parameters, query, body }: Operation): TSchema[] =>
  [parameters, query, body].filter((schema) => schema !== undefined);

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

/** Operations whose stored response says nothing about a client. */
const hasNoClient = new Set([
  'decideAdminOrders',
  'decideAdminClients',
  ...['createKey', 'rotateKey', 'createNftSale', 'createPlanet', 'createStrain', 'resetSandbox'],
  // A test sends nothing about a client, and has no response yet.
  ...['createWebhook', 'rotateWebhookSecret', 'replayWebhook', 'testWebhook'],
]);

type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
};

/** The size of the largest compact JSON in UTF-8 that a schema allows. */
function largestJsonBytes(schema: JsonSchema): number {
  const { enum: values, anyOf = [], properties, type = [] } = schema;
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length));
  if (anyOf.length > 0 && !properties) return Math.max(...anyOf.map(largestJsonBytes));
  return Math.max(...[type].flat().map((each) => largestOfType(each, schema)));
}

function largestOfType(type: string, schema: JsonSchema): number {
  const { properties, items = {}, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (type === 'string') return 2 + largestTextBytes(schema);
  if (type === 'array') return 2 + maxItems * (1 + largestJsonBytes(items));
  // A number, a boolean or null.
  if (type !== 'object') return 24;
  if (schema.propertyNames)
    return (
      2 +
      (schema.maxProperties ?? Infinity) *
        (6 + largestTextBytes(schema.propertyNames) + largestJsonBytes(schema.additionalProperties ?? {}))
    );
  // The only other object without fields of its own.
  if (!properties) return maximumMedicalRecordBytes;
  return Object.entries(properties).reduce(
    (bytes, [name, inner]) => bytes + name.length + 4 + largestJsonBytes(inner),
    2,
  );
}

/** A text with a strict form has ASCII only. Any other may have four bytes for each character. */
function largestTextBytes({ maxLength, format, pattern }: JsonSchema): number {
  if (format === 'uuid') return 36;
  if (maxLength === undefined) return (format ?? pattern) ? 64 : Number.POSITIVE_INFINITY;
  const isFree =
    format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test('\u{1f600}'));
  return maxLength * (isFree ? 4 : 1);
}

describe('the operation table', () => {
  it('has unique ids, routes and SDK names', () => {
    const values = (read: (operation: Operation) => string) => operationList.map(read);
    for (const each of [
      values(({ id }) => id),
      values(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
      values(({ sdk, id }) => sdk ?? id),
    ]) {
      expect(new Set(each).size).toBe(each.length);
    }
  });

  it.each(operationList.map((operation) => [operation.id, operation] as const))(
    '%s is consistent',
    (_id, operation) => {
      const {
        method,
        access,
        path,
        parameters,
        body,
        upload,
        retry,
        erasedWith,
        status,
        errors = [],
      } = operation;
      expect(namesIn(path)).toEqual(Object.keys(parameters?.properties ?? {}));
      if (body) expect(['POST', 'PUT', 'PATCH']).toContain(method);
      // An upload is stored under the name of its content, and a token that has signed out cannot ask again.
      const isExempt = retry === 'never' || operation.id === 'signOut';
      const takesKey = method === 'POST' && isGuarded(access) && !upload && !isExempt;
      expect(retry === 'idempotency-key').toBe(takesKey);
      expect(erasedWith !== undefined).toBe(takesKey && !hasNoClient.has(operation.id));
      if (erasedWith) expect(operation.example.response).toHaveProperty(erasedWith);
      if (upload) expect(body).toBeUndefined();
      if (method !== 'POST' || access === 'provider') expect(status).toBe(200);
      expect(operation.provider !== undefined).toBe(access === 'provider');
      if (access === 'provider') expect(operation.sdk).toBeUndefined();
      else expect(operation.sdk).toMatch(/^(admin\.)?[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
      if (typeof retry === 'object') {
        for (const name of retry.unless) expect(Object.keys(body?.properties ?? {})).toContain(name);
      }
      const codes = errorCodesOf(operation);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of errors) expect([400, 401, 403, 404, 409, 415]).toContain(errorTable[code].status);
    },
  );

  it.each(operationList.map((operation) => [operation.id, operation] as const))(
    '%s has valid examples',
    (_id, operation) => {
      const { example, response } = operation;
      for (const part of ['parameters', 'query', 'body'] as const) {
        const schema = operation[part];
        const value = example[part];
        if (!schema) expect(value).toBeUndefined();
        else if (part === 'query' && value === undefined) expect(schema.required ?? []).toEqual([]);
        else expect([ajv.validate(schema, value), ajv.errors]).toEqual([true, null]);
      }
      expect([ajv.validate(response, example.response), ajv.errors]).toEqual([true, null]);
    },
  );

  // Those of anybody and of providers are small in any case: see `request-bodies.test.ts`.
  const guardedBodies = operationList.filter(({ access, body }) => body && isGuarded(access));
  it.each(guardedBodies.map((operation) => [operation.id, operation] as const))(
    '%s reads every body that its schema allows, and not many times more',
    (_id, operation) => {
      const limit = bodyLimitOf(operation);
      const largest = largestJsonBytes(operation.body ?? {});
      expect(largest).toBeLessThanOrEqual(limit);
      expect(limit).toBeLessThanOrEqual(Math.max(16 * 1024, 4 * largest));
    },
  );

  it('has a sentence for every regular expression, and one expression for each sentence', () => {
    const known = Object.values(textPatterns).map(({ pattern }) => pattern);
    expect(new Set(known).size).toBe(known.length);
    for (const pattern of operationList.flatMap(inputs).flatMap(patternsIn)) expect(known).toContain(pattern);
  });
});

it.each(['createOrder', 'updateOrder', 'createClient', 'updateClient'] as const)(
  'the largest metadata fits into a body of %s, with every character as an escape sequence',
  (id) => {
    // Python writes JSON so by default. A character beyond the basic plane takes two sequences of six bytes.
    const escaped = (length: number) => '\\ud83c\\udf31'.repeat(length);
    const names = Array.from({ length: 20 }, () => `"${escaped(40)}": "${escaped(500)}"`);
    const operation = operationList.find((each) => each.id === id) as Operation;
    expect(bodyLimitOf(operation)).toBeGreaterThan(`{"metadata": {${names.join(', ')}}}`.length);
  },
);
