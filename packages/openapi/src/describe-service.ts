import { setImmediate } from 'node:timers/promises';
import type { OpenApiDocument, OpenApiOperation } from '@keyfront/api-reference';
import { type Operation, tags } from '@keyfront/protocol';
import { headers, securitySchemes } from './components.ts';
import { describeSharedResponses } from './describe-errors.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { SchemaComponents } from './schema-components.ts';
import type { CompileValidator } from './validation-example.ts';

export interface ServiceDescription {
  readonly operations: readonly Operation[];
  /** The base URL with the version prefix, as callers use it. */
  readonly baseUrl: string;
  readonly stagingUrl: string | null;
  /** Says so in the title. The default is that it is none. */
  readonly isSandbox?: boolean;
  /** The path below which every operation is served. */
  readonly versionPrefix: string;
  readonly compileValidator: CompileValidator;
}

/** Describes the service as an OpenAPI 3.1 document. */
export async function describeService(service: ServiceDescription): Promise<OpenApiDocument> {
  const { operations, baseUrl, stagingUrl, isSandbox = false, versionPrefix, compileValidator } = service;
  const schemas = new SchemaComponents();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const path = versionPrefix + operation.path;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, schemas, baseUrl, compileValidator),
    };
    // Other work of the process runs between the operations: a server describes itself while it serves.
    await setImmediate();
  }
  const responses = describeSharedResponses(schemas);
  const used = new Set<string>(operations.map(({ tag }) => tag));
  const usesDeprecation = operations.some(({ deprecated }) => deprecated);
  const { deprecation, ...otherHeaders } = headers;
  return {
    openapi: '3.1.0',
    info: {
      title: isSandbox ? 'Keyfront Sandbox' : 'Keyfront',
      version: '1.0.0',
      'x-deploy-version': '1.0',
      summary: 'Storefronts for holders of digital-key tokens',
      description:
        'Keyfront is a platform for holders of digital-key tokens (NFTs) and for the developers who build storefronts for ' +
        'them.\n\nA program signs its requests with an API key, which a holder creates in the console. Every response is wrapped in ' +
        'an envelope with `success`, `statusCode`, `message` and `data`; errors also have a `code`.\n\nThe server URL ends in the ' +
        'version prefix `/api/v1`, and the paths begin with it. Every operation is served with the prefix once, as in ' +
        `\`${baseUrl}/planets\`, and also with both. Guides leave the prefix out: \`GET /planets\` is the same operation.`,
      contact: { name: 'Keyfront', url: `${new URL(baseUrl).origin}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'This service' },
      ...(stagingUrl ? [{ url: stagingUrl, description: 'Staging, not always available' }] : []),
    ],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    // A document of some operations has no use for them.
    ...(used.has('Webhooks') ? { webhooks: describeWebhooks(schemas) } : {}),
    components: {
      securitySchemes,
      headers: usesDeprecation ? { ...otherHeaders, deprecation } : otherHeaders,
      responses,
      schemas: schemas.list(),
    },
  };
}
