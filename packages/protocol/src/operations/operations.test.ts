import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../errors.ts';
import { errorCodesOf, isGuarded, type Operation } from '../operation.ts';
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
  ...['createKey', 'rotateKey', 'createNftSale', 'createPlanet', 'createStrain'],
  // A test sends nothing about a client, and has no response yet.
  ...['createWebhook', 'rotateWebhookSecret', 'replayWebhook', 'testWebhook'],
]);

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

  it('has a sentence for every regular expression, and one expression for each sentence', () => {
    const known = Object.values(textPatterns).map(({ pattern }) => pattern);
    expect(new Set(known).size).toBe(known.length);
    for (const pattern of operationList.flatMap(inputs).flatMap(patternsIn)) expect(known).toContain(pattern);
  });
});
