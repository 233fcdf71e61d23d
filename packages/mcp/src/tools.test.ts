import { operationList, takesIdempotencyKey, textPatterns } from '@keyfront/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { toOperationRequest } from './operation-request.ts';
import type { JsonSchema } from './schemas/json-schema.ts';
import { annotate, findReasonToLeaveOut, listTools } from './tools.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const tools = [...listTools().values()];

/** The properties of a schema at any depth, with the path of each. */
function listProperties(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const fields = Object.entries(schema.properties ?? {});
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [
    ...fields.flatMap(([name, field]): [string, JsonSchema][] => [
      [`${path}/${name}`, field],
      ...listProperties(field, `${path}/${name}`),
    ]),
    ...inner.flatMap((each) => listProperties(each, path)),
  ];
}

describe.each(operationList)('$id', (operation) => {
  it('is a tool, or left out for a reason', () => {
    const isTool = listTools().has(operation.id);
    expect(findReasonToLeaveOut(operation) === null).toBe(isTool);
    // Nothing that an agent may not do with the credential of a holder, and nothing that it cannot read.
    if (isTool) expect(operation.access).toBe('credential');
  });
});

describe.each(tools.map((tool) => [tool.operation.id, tool] as const))('the tool %s', (_id, tool) => {
  const { operation, inputSchema, parts, results } = tool;
  const { parameters = {}, query = {}, body = {} } = operation.example;
  const example = { ...parameters, ...query, ...body };

  it('has schemas that are valid', { tags: ['long'] }, () => {
    expect(inputSchema.type).toBe('object');
    for (const schema of [inputSchema, results.withPersonalData.schema, results.withoutPersonalData.schema]) {
      expect(() => ajv.compile(schema)).not.toThrow();
      expect(schema.type).toBe('object');
    }
  });

  it('accepts the arguments of its example, and sends them where the operation reads them', () => {
    const isValid = ajv.validate(inputSchema, example);
    expect(ajv.errors).toBeNull();
    expect(isValid).toBe(true);
    const sent = toOperationRequest(tool, example, 'a-key');
    const [path = '', sentQuery = ''] = sent.target.split('?');
    expect(path).not.toContain('{');
    const expected = Object.entries({ ...query, ...parts.fixedQuery }).map(([name, value]) => [
      name,
      String(value),
    ]);
    expect(Object.fromEntries(new URLSearchParams(sentQuery))).toEqual(Object.fromEntries(expected));
    expect(sent.body ?? {}).toEqual(body);
    expect(sent.idempotencyKey).toBe(takesIdempotencyKey(operation) ? 'a-key' : null);
  });

  it.each([
    ['with', results.withPersonalData],
    ['without', results.withoutPersonalData],
  ])('shows its example %s personal data as its schema says', (_with, view) => {
    const shown = view.show(operation.example.response);
    ajv.validate(view.schema, shown);
    expect(ajv.errors).toBeNull();
  });

  it('has no two fields with one name', () => {
    const names = [...parts.parameters, ...parts.query, ...parts.body];
    expect(new Set(names).size).toBe(names.length);
  });

  it('keeps the marks and examples of the operation to itself', () => {
    const text = JSON.stringify([inputSchema, results.withPersonalData.schema]);
    expect(text).not.toMatch(/"(x-[a-z-]+|examples|deprecated)":/);
  });

  it('says whether it changes something', () => {
    const { readOnlyHint } = annotate(tool);
    expect(readOnlyHint).toBe(operation.method === 'GET');
  });
});

describe('the schemas of responses', () => {
  /** Texts in requests in which anything may stand: no id, no choice, no pattern of certain characters. */
  const isFreeText = ({
    type,
    ...rules
  }: JsonSchema & { enum?: unknown; format?: string; pattern?: string }) =>
    [type].flat().includes('string') &&
    !rules.enum &&
    !['uuid', 'uri', 'date-time'].includes(rules.format ?? '') &&
    (rules.pattern === undefined || rules.pattern === textPatterns.notBlank.pattern);

  it('mark each text that a holder sends and an agent reads again', () => {
    const nameOf = (path: string) => path.split('/').at(-1);
    const sent = tools.flatMap(({ group, operation }) =>
      listProperties((operation.body ?? {}) as JsonSchema)
        .filter(([, field]) => isFreeText(field))
        .map(([path]) => `${group} ${nameOf(path)}`),
    );
    expect(sent).toContain('orders note');
    const unmarked = tools.flatMap(({ group, operation, results }) =>
      listProperties(results.withPersonalData.schema)
        .filter(([path, field]) => sent.includes(`${group} ${nameOf(path)}`) && isFreeText(field))
        .filter(([path]) => !path.includes('/untrusted'))
        .map(([path]) => `${operation.id} ${path}`),
    );
    expect(unmarked).toEqual([]);
  });
});
