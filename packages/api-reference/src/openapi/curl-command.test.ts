import { describe, expect, it } from 'vitest';
import type { ReferenceDocument } from './openapi-document.ts';
import { readReference } from './read-reference.ts';

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'x-key' },
  seal: { $ref: '#/components/securitySchemes/sealHeader' },
  sealHeader: { type: 'apiKey', in: 'header', name: 'x-seal' },
  jwt: { type: 'http', scheme: 'bearer' },
};

/** The command that is made for an operation without samples of its own. */
async function commandOf(operation: object, { path = '/planets', method = 'get' } = {}): Promise<string> {
  const document: ReferenceDocument = {
    openapi: '3.1.0',
    info: { title: 'Planets', version: '1' },
    servers: [{ url: 'https://api.example/v1/' }],
    security: [{ jwt: [] }],
    paths: { [path]: { [method]: operation } },
    components: { securitySchemes },
  };
  const { groups } = await readReference(document);
  const [sample] = groups[0]?.operations[0]?.samples ?? [];
  return sample?.source ?? '';
}

const jsonBody = (schema: object, more: object = {}) => ({
  requestBody: { content: { 'application/json': { schema, ...more } } },
});

describe('curl command', () => {
  it('needs no headers where no credential is required', async () => {
    expect(await commandOf({ security: [] })).toBe('curl "https://api.example/v1/planets"');
  });

  it('sends the credentials of the first alternative', async () => {
    expect(await commandOf({ security: [{ key: [], seal: [] }, { jwt: [] }] })).toBe(
      'curl "https://api.example/v1/planets" \\\n  -H "x-key: $KEY" \\\n  -H "x-seal: $SEAL"',
    );
  });

  it('sends the credential of the document where the operation names none', async () => {
    expect(await commandOf({})).toContain('-H "authorization: Bearer $JWT"');
  });

  it('has variables for path parameters and values for the required query', async () => {
    const command = await commandOf(
      {
        security: [],
        parameters: [
          { name: 'planetId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'take', in: 'query', required: true, schema: { type: 'integer', default: 10 } },
          { name: 'startDate', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'orderBy', in: 'query', required: true, schema: {}, example: 'name asc' },
          { name: 'search', in: 'query', schema: { type: 'string' } },
        ],
      },
      { path: '/planets/{planetId}' },
    );
    expect(command).toBe(
      'curl \\\n  "https://api.example/v1/planets/$PLANET_ID?take=10&startDate=$START_DATE&orderBy=name%20asc"',
    );
  });

  it('sends a body of the required fields, and keeps it within its quotes', async () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', examples: ["Ada's"] }, note: { type: 'string' } },
    };
    expect(await commandOf({ security: [], ...jsonBody(schema) }, { method: 'post' })).toBe(
      'curl -X POST "https://api.example/v1/planets" \\\n' +
        '  -H "content-type: application/json" \\\n' +
        `  -d '{"name":"Ada'\\''s"}'`,
    );
  });

  it('sends the example of the body where there is one', async () => {
    expect(await commandOf(jsonBody({}, { example: { name: 'Ada' } }), { method: 'post' })).toContain(
      `-d '{"name":"Ada"}'`,
    );
    expect(
      await commandOf(jsonBody({}, { examples: { first: { value: { name: 'Ben' } } } }), { method: 'post' }),
    ).toContain(`-d '{"name":"Ben"}'`);
  });

  it('shows one field of a body that requires none', async () => {
    const schema = { type: 'object', properties: { stage: { enum: ['LEADS'] }, note: { type: 'string' } } };
    expect(await commandOf(jsonBody(schema), { method: 'patch' })).toContain(`-d '{"stage":"LEADS"}'`);
  });

  it('leaves nothing for the shell to run', async () => {
    expect(await commandOf({ security: [] }, { path: '/$(reboot)/`reboot`/"' })).toBe(
      'curl \\\n  "https://api.example/v1/\\$(reboot)/\\`reboot\\`/\\""',
    );
  });
});
