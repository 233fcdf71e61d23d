import { type RequestToSign, signsBody } from './canonical-payload.ts';
import { signingMistakes } from './signature-issues.ts';

/** A request with a signature that is not valid. */
export interface MistakenRequest extends RequestToSign {
  /** As the caller sees it, with its query. */
  readonly url: string;
  /** What should have been signed. */
  readonly payload: Uint8Array;
  /** The SHA-256 of the payload. */
  readonly sha256: Uint8Array;
}

/** Something that is signed by mistake. */
export interface SigningMistake {
  readonly payload: Uint8Array;
  readonly code:
    | 'SIGNED_EMPTY_STRING'
    | 'SIGNED_BRACES_OVER_QUERY'
    | 'SIGNED_PATH'
    | 'SIGNED_DECODED_QUERY'
    | 'SIGNED_REORDERED_QUERY'
    | 'SIGNED_OTHER_JSON'
    | 'SIGNATURE_INVALID';
  /** What was signed. */
  readonly hint: string;
}

type Signed = readonly [texts: Iterable<string>, code: SigningMistake['code'], hint: string];

/** The JSON of a larger body is not written in other ways. */
const maximumRewrittenBytes = 16 * 1024;
/** Of so many parts, every order is tried. */
const maximumPermuted = 3;
const encoder = new TextEncoder();

/**
 * What callers sign instead of the payload, the most common mistakes first. None of it is ever accepted for this request. The number
 * has a bound, because each costs a verification.
 */
export function* listSigningMistakes(request: MistakenRequest): Generator<SigningMistake, void, undefined> {
  const { method, query, payload, sha256 } = request;
  const isSmall = payload.length <= maximumRewrittenBytes;
  const tried = new Set<string>();
  const groups = [
    [[''], 'SIGNED_EMPTY_STRING', signingMistakes.emptyText] as const,
    ...(signsBody(method) ? bodyMistakes(request) : queryMistakes(request)),
    [addressTexts(request), 'SIGNED_PATH', signingMistakes.path] as const,
    [[toHex(sha256)], 'SIGNATURE_INVALID', signingMistakes.hexHash] as const,
    [isSmall ? [toHex(payload)] : [], 'SIGNATURE_INVALID', signingMistakes.hex] as const,
  ];
  for (const [texts, code, hint] of groups) {
    for (const text of texts) {
      if (tried.has(text)) continue;
      tried.add(text);
      yield { payload: encoder.encode(text), code, hint };
    }
  }
  yield { payload: sha256, code: 'SIGNATURE_INVALID', hint: signingMistakes.hash };
  if (!isSmall) return;
  const code = signsBody(method) || !query ? 'SIGNED_OTHER_JSON' : 'SIGNATURE_INVALID';
  yield { payload: Uint8Array.of(...payload, 0x0a), code, hint: signingMistakes.lineBreak };
}

function bodyMistakes({ body, query }: RequestToSign): Signed[] {
  const text = body && body.length <= maximumRewrittenBytes ? new TextDecoder().decode(body) : '';
  return [
    [body?.length ? ['{}'] : [], 'SIGNED_OTHER_JSON', signingMistakes.emptyObjectForBody],
    [otherJson(text), 'SIGNED_OTHER_JSON', signingMistakes.otherJson],
    [query ? [query] : [], 'SIGNATURE_INVALID', signingMistakes.queryForBody],
  ];
}

function queryMistakes({ query, body }: RequestToSign): Signed[] {
  if (!query) return [[['null', 'undefined'], 'SIGNED_OTHER_JSON', signingMistakes.otherJson]];
  return [
    [['{}'], 'SIGNED_BRACES_OVER_QUERY', signingMistakes.emptyObjectForQuery],
    [[`?${query}`], 'SIGNATURE_INVALID', signingMistakes.questionMark],
    [decodedQueries(query), 'SIGNED_DECODED_QUERY', signingMistakes.decodedQuery],
    [reorderedQueries(query), 'SIGNED_REORDERED_QUERY', signingMistakes.reorderedQuery],
    [numbersAsJson(query), 'SIGNED_OTHER_JSON', signingMistakes.queryAsOtherJson],
    [body?.length ? [new TextDecoder().decode(body)] : [], 'SIGNATURE_INVALID', signingMistakes.bodyForQuery],
  ];
}

/** The path and the whole URL, with and without the query and the prefix of the version. */
function addressTexts({ method, url }: MistakenRequest): string[] {
  const mark = url.indexOf('?');
  const address = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark);
  const path = address.replace(/^[a-z]+:\/\/[^/]*/, '');
  const short = path.replace(/^.*?\/api\/v1(?=\/)/, '');
  return [path, short, address, address.replace(/\/api\/v1(?=\/)/, '')]
    .flatMap((text) => [text + query, text])
    .concat([`${method} ${path}${query}`, `${method} ${path}`]);
}

function* otherJson(text: string): Generator<string> {
  yield 'null';
  yield 'undefined';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  yield* [2, 4, '\t'].map((space) => JSON.stringify(value, null, space));
  for (const each of reorderedObjects(value)) yield* [JSON.stringify(each), writeSpaced(each)];
  yield text.trim();
  yield JSON.stringify(text);
}

/** As most languages other than JavaScript write JSON: with a space after each comma and colon. */
function writeSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSpaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${writeSpaced(inner)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** The value itself, with all of its names sorted, and with those of the outermost object in other orders. */
function* reorderedObjects(value: unknown): Generator<unknown> {
  yield value;
  yield sortNames(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const entries of otherOrders(Object.entries(value))) yield Object.fromEntries(entries);
}

function sortNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortNames);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sortNames(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Encoded once less than it was sent, or with its blanks written in the other way. */
function decodedQueries(query: string): string[] {
  const pairs = [...new URLSearchParams(`?${query}`)];
  return [
    pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    decode(query),
    decode(query.replaceAll('+', ' ')),
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function* reorderedQueries(query: string): Generator<string> {
  for (const spelling of [query, new URLSearchParams(`?${query}`).toString()]) {
    const pairs = spelling.split('&');
    for (const order of otherOrders(pairs)) yield order.join('&');
    yield pairs.toSorted().join('&');
  }
}

/** The values of a query are strings, so numbers are other bytes. */
function numbersAsJson(query: string): string[] {
  const pairs = [...new URLSearchParams(`?${query}`)];
  const numbers = pairs.map(([name, value]) => [
    name,
    String(Number(value)) === value ? Number(value) : value,
  ]);
  return [JSON.stringify(Object.fromEntries(numbers))];
}

/** Every other order of a few parts, and the reverse of many. */
function otherOrders<Part>(parts: readonly Part[]): Part[][] {
  return parts.length <= maximumPermuted ? permute(parts).slice(1) : [parts.toReversed()];
}

function permute<Part>(parts: readonly Part[]): Part[][] {
  if (parts.length < 2) return [[...parts]];
  return parts.flatMap((part, at) => permute(parts.toSpliced(at, 1)).map((rest) => [part, ...rest]));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
