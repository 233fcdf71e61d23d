import { type Operation, operationsOf, tags } from '@keyfront/protocol';
import { signingScript } from './signing-script.ts';

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A collection of all operations that a person can try, in the folders of the reference. */
export function describeCollection({
  baseUrl,
  version,
}: {
  readonly baseUrl: string;
  readonly version: string;
}) {
  const listed = operationsOf(false).filter(({ provider, upload }) => !provider && !upload);
  const folders = Object.entries(tags).flatMap(([name, description]) => {
    const item = listed.filter(({ tag }) => tag === name).map(describeItem);
    return item.length > 0 ? [{ name, description, item }] : [];
  });
  return {
    info: { name: 'Keyfront', version, description: instructions, schema: format },
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: signingScript.split('\n') } }],
    variable: [
      { key: 'baseUrl', value: baseUrl },
      ...credentialNames.map((key) => ({ key, value: '' })),
      ...listParameters(listed).map(([key, value]) => ({ key, value })),
    ],
    item: folders,
  };
}

const credentialNames = ['apiKey', 'secretKey', 'token'];

const instructions = [
  'Set `apiKey` and `secretKey` in an environment, as secrets: the script of the collection signs each request with them.',
  'Requests that only a wallet may send need a `token` instead, which `POST /auth/signIn` returns.',
  'Parts of paths are variables of the collection, such as `orderId`.',
].join('\n\n');

function describeItem(operation: Operation) {
  const { method, path, access, summary, description, query, body, example } = operation;
  const given = Object.entries(example.query ?? {}).map(([key, value]) => ({ key, value: String(value) }));
  const further = Object.entries(query?.properties ?? {})
    .filter(([key]) => !(key in (example.query ?? {})))
    .map(([key, schema]) => ({ key, value: '', disabled: true, description: textOf(schema) }));
  const filled = path.replaceAll(/\{(\w+)\}/g, '{{$1}}');
  const search = given.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    name: summary,
    request: {
      method,
      ...(description && { description }),
      ...describeAccess(access),
      header: [
        { key: 'accept', value: 'application/json' },
        ...(body ? [{ key: 'content-type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}${filled}${search && `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: filled.slice(1).split('/'),
        query: [...given, ...further],
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(example.body ?? {}, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  };
}

/** The script signs what has no `auth`. */
function describeAccess(access: Operation['access']) {
  if (access === 'credential') return {};
  if (access === 'public') return { auth: { type: 'noauth' } };
  return { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] } };
}

/** The parameters of all paths, with the values of the examples. */
function listParameters(operations: readonly Operation[]): [string, string][] {
  const values = operations.flatMap(({ example }) => Object.entries(example.parameters ?? {}));
  return [...new Map(values.map(([name, value]) => [name, String(value)]))];
}

function textOf(schema: object): string {
  return 'description' in schema ? String(schema.description) : '';
}
