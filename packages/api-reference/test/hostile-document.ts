import type { ReferenceDocument } from '../src/index.ts';

/** Text that would become markup, leave its attribute or end its element if it were not escaped. */
export const hostile = `"'><img src=x onerror=alert(1)></style></pre></noscript><script>alert(1)</script>\${x}&lt;`;

const field = {
  type: 'string',
  description: hostile,
  default: hostile,
  examples: [hostile],
  pattern: hostile,
  title: hostile,
};
const fields = {
  type: 'object',
  title: hostile,
  description: hostile,
  properties: {
    [hostile]: field,
    choice: { enum: [hostile, 'other'] },
    inner: { $ref: '#/components/schemas/X' },
  },
};
const content = { [hostile]: { schema: fields, example: hostile }, 'application/json': { schema: fields } };

/** A document in which every text that could hold markup does. */
export const hostileDocument: ReferenceDocument = {
  openapi: '3.1.0',
  info: { title: hostile, version: hostile, summary: hostile, description: hostile },
  servers: [{ url: hostile, description: hostile }],
  tags: [{ name: hostile, description: hostile }],
  paths: {
    [`/x/${hostile}/{${hostile}}`]: {
      post: {
        operationId: hostile,
        tags: [hostile],
        summary: hostile,
        description: hostile,
        security: [{ [hostile]: [], key: [] }],
        parameters: [{ name: hostile, in: 'query', required: true, description: hostile, schema: field }],
        requestBody: { description: hostile, content },
        responses: {
          '200': {
            description: hostile,
            content,
            headers: { [hostile]: { description: hostile, schema: field } },
          },
          [hostile]: {
            description: hostile,
            content: {
              'application/json': { examples: { [hostile]: { summary: hostile, value: hostile } } },
            },
          },
        },
        'x-codeSamples': [
          { lang: hostile, label: hostile, source: hostile },
          { lang: 'Shell', label: hostile, source: hostile },
        ],
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: hostile, description: hostile } },
    schemas: { X: { type: 'object', properties: { [hostile]: field } } },
  },
};
