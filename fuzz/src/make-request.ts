import { signedPayload } from '@keyfront/protocol';
import type { FuzzedRequest } from './fuzzed-request.ts';
import { hostileTargetParts, hostileTexts } from './hostile-values.ts';
import { type IdPool, idNameOf } from './id-pool.ts';
import type { Identity } from './identities.ts';
import { mutateBody } from './mutate-body.ts';
import type { FuzzedOperation, Parameter } from './operations.ts';
import type { Random } from './random.ts';

export interface RequestSources {
  readonly operations: readonly FuzzedOperation[];
  readonly identities: readonly Identity[];
  readonly ids: IdPool;
}

/** Paths that the document does not describe. */
const otherPaths = ['/', '/docs', '/docs/', '/health/live', '/health/ready', '/health/chain', '/metrics'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE', 'QUERY'];

/** Makes a random request. Most are valid in all but one part, and signed, so that they get far. */
export function makeRequest(sources: RequestSources, random: Random): FuzzedRequest {
  const operation = random.pick(sources.operations);
  const method = random.percent(4) ? random.pick(methods) : operation.method;
  const target = makeTarget(operation, sources.ids, random);
  const body = makeBody(operation, sources.ids, random);
  const credentials = makeCredentials(operation, { method, target, body }, sources, random);
  const headers = makeHeaders(credentials, body, random);
  const version = random.percent(1) ? random.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP']) : 'HTTP/1.1';
  return { operation: operation.id, method, target, version, headers, body };
}

function makeTarget(operation: FuzzedOperation, ids: IdPool, random: Random): string {
  if (random.percent(2)) return random.pick(otherPaths);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(makePathValue(idName(name, operation), ids, random)),
  );
  const query = makeQuery(operation, ids, random);
  const target = query === '' ? path : `${path}?${query}`;
  if (random.percent(85)) return target;
  if (random.percent(20)) return `/api/v1${target}`;
  if (random.percent(10)) return `http://shop.example${target}`;
  const at = random.below(target.length + 1);
  const part = toLatin1(random.pick(hostileTargetParts));
  return `${target.slice(0, at)}${part}${target.slice(at)}`;
}

/** A parameter that is just called `id` names a resource of the path. */
function idName(name: string, { path }: FuzzedOperation): string {
  return name === 'id' ? idNameOf(path) : name;
}

function makePathValue(name: string, ids: IdPool, random: Random): string {
  const id = ids.pick(name, random);
  if (id !== undefined && random.percent(85)) return id;
  // A lone surrogate has no encoding.
  return random.pick(hostileTexts).replaceAll(/[\ud800-\udfff]/g, '') || 'x';
}

function makeQuery(operation: FuzzedOperation, ids: IdPool, random: Random): string {
  const { queryParameters } = operation;
  const entries = queryParameters
    .filter(({ required }) => (required ? !random.percent(2) : random.percent(25)))
    // Two names for one thing would have to say the same.
    .filter(({ schema }, _, chosen) => !chosen.some(({ name }) => name === schema['x-alias-of']))
    .flatMap((parameter): [string, string][] => {
      const id = ids.pick(idName(parameter.name, operation), random);
      const value = id !== undefined && random.percent(80) ? id : makeQueryValue(parameter, random);
      // An empty id is refused, and nothing else would be tested.
      return value === '' && parameter.schema.format === 'uuid' ? [] : [[parameter.name, value]];
    });
  const isHostile = queryParameters.length > 0 && random.percent(35);
  if (isHostile) entries.push([random.pick(queryParameters).name, random.pick(hostileTexts)]);
  if (random.percent(3)) entries.push([random.pick(hostileTexts), random.pick(hostileTexts)]);
  return new URLSearchParams(entries).toString();
}

function makeQueryValue({ schema, example }: Parameter, random: Random): string {
  if (schema.enum && random.percent(80)) return String(random.pick(schema.enum));
  if (schema.type === 'integer') return String(1 + random.below(50));
  return String(example ?? schema.default ?? '');
}

function makeBody({ bodyExample }: FuzzedOperation, ids: IdPool, random: Random): Buffer | null {
  if (bodyExample === undefined) return random.percent(2) ? Buffer.from('{"a":1}') : null;
  if (random.percent(2)) return null;
  const valid = withIds(bodyExample, ids, random);
  return random.percent(40) ? Buffer.from(JSON.stringify(valid)) : mutateBody(valid, random);
}

/** Replaces ids by those of existing resources, and values that must be unique by new ones. */
function withIds(value: unknown, ids: IdPool, random: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'number') return [name, random.below(1_000_000)];
      if (typeof inner !== 'string') return [name, withIds(inner, ids, random)];
      if (name === 'email' || name === 'name') return [name, `${random.below(1_000_000)}${inner}`];
      return [name, ids.pick(name, random) ?? inner];
    }),
  );
}

interface UnsignedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: Buffer | null;
}

type Header = readonly [name: string, value: string];

function makeCredentials(
  operation: FuzzedOperation,
  { method, target, body }: UnsignedRequest,
  { identities }: RequestSources,
  random: Random,
): Header[] {
  if (random.percent(3)) return [];
  const suitable = identities.filter(({ kind }) => isSuitable(kind, operation));
  const identity = random.pick(suitable.length > 0 && random.percent(95) ? suitable : identities);
  const mark = target.indexOf('?');
  const query = mark === -1 ? null : target.slice(mark + 1);
  const payload = random.percent(3) ? Buffer.from('{}') : signedPayload({ method, query, body });
  return Object.entries(identity.authenticate(payload)).map(([name, value]) =>
    random.percent(2) ? [name, damage(value, random)] : [name, value],
  );
}

function isSuitable(kind: Identity['kind'], operation: FuzzedOperation): boolean {
  if (operation.isForAdministrators) return kind === 'administrator';
  if (kind === 'signature') return operation.takesSignature;
  return kind === 'token' ? operation.takesToken : operation.id === 'exportOrders';
}

function damage(value: string, random: Random): string {
  const at = random.below(value.length);
  switch (random.below(4)) {
    case 0:
      return value.slice(0, at);
    case 1:
      return `${value.slice(0, at)}${random.pick(['A', '=', ' ', ',', '\xff', '\t'])}${value.slice(at)}`;
    case 2:
      return `${value}, ${value}`;
    default:
      return value.repeat(1 + random.below(5));
  }
}

function makeHeaders(credentials: readonly Header[], body: Buffer | null, random: Random): Header[] {
  const headers: Header[] = [['host', 'shop.example'], ...credentials];
  if (body) {
    headers.push(['content-length', String(body.length)]);
    if (!random.percent(2)) headers.push(['content-type', makeContentType(random)]);
    if (random.percent(2)) headers.push(['expect', '100-continue']);
  }
  if (random.percent(20)) headers.push(['accept', makeAccept(random)]);
  if (random.percent(10)) headers.push(['idempotency-key', makeHeaderText(random)]);
  if (random.percent(5)) headers.push(['x-request-id', makeHeaderText(random)]);
  if (random.percent(3)) headers.push(makeOddHeader(random));
  return headers;
}

function makeContentType(random: Random): string {
  if (random.percent(95)) return 'application/json';
  return random.pick([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'text/plain',
    '',
    ';',
    'application/',
  ]);
}

function makeAccept(random: Random): string {
  return random.pick([
    'text/csv',
    'text/csv;q=0.5, application/json',
    '*/*',
    'text/csv;q=x',
    ',',
    'a/b'.repeat(500),
  ]);
}

function makeHeaderText(random: Random): string {
  const value = random.percent(60) ? `key-${random.below(1_000)}` : random.pick(hostileTexts);
  // A header value is one line of bytes without NUL.
  return toLatin1(value).replaceAll(/[\0\r\n]/g, '');
}

function makeOddHeader(random: Random): Header {
  return random.pick<Header>([
    ['host', 'other.example'],
    ['x-long', 'x'.repeat(20_000)],
    ['connection', 'close'],
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
    ['transfer-encoding', 'gzip'],
    ['content-length', '0'],
    ['expect', 'magic'],
    ['origin', 'https://shop.example'],
    ['x-forwarded-for', '1.2.3.4, unknown, ::1'],
    ['x-http-method-override', 'DELETE'],
    ['accept-version', '2.x'],
    ['x bad name', 'x'],
    ['', 'x'],
    ['x-control', 'a\x01b'],
    ['range', 'bytes=0-1'],
    ['if-none-match', '*'],
    ['accept-encoding', 'br;q=9, gzip, zstd'],
    ['cookie', 'a=b; '.repeat(200)],
  ]);
}

/** Writes the UTF-8 bytes of a text as one character each. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
