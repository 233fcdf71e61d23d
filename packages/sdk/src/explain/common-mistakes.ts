import { signsBody } from '../generated/canonical-payload.ts';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { toHex } from './hex.ts';

/** Something that is often signed by mistake. */
export interface Mistake {
  readonly payload: Uint8Array;
  /** What was signed, and what to sign instead. */
  readonly message: string;
}

/** What callers sign instead of the payload, the most common mistake first. */
export function listCommonMistakes(request: PreparedRequest, sha256: Uint8Array): Mistake[] {
  const { method, url, query, body, payload } = request;
  const mistake = (text: string | Uint8Array, description: string): Mistake => ({
    payload: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    message: `The signature covers ${description}`,
  });
  const path = new URL(url).pathname;
  return [
    mistake('', 'the empty string: sign the two characters {} if there is neither a query nor a body'),
    mistake(
      '{}',
      `{} although the request has a ${signsBody(method) ? 'body' : 'query'}: sign the ${signsBody(method) ? 'body' : 'query'}`,
    ),
    ...(signsBody(method) ? listBodyMistakes(body, query) : listQueryMistakes(query, body)).map((each) =>
      mistake(...each),
    ),
    ...[path, path + (query === null ? '' : `?${query}`), url, `${method} ${path}`].map((text) =>
      mistake(text, 'the URL or path, which is not signed'),
    ),
    mistake(sha256, 'the hash of the payload: pass the payload itself, the library hashes it'),
    mistake(
      toHex(sha256),
      'the hash of the payload in hexadecimal: pass the payload itself, the library hashes it',
    ),
    mistake(toHex(payload), 'the payload in hexadecimal: sign its bytes'),
  ];
}

type Signed = readonly [text: string, description: string];

function listBodyMistakes(body: Uint8Array | null, query: string | null): Signed[] {
  const text = new TextDecoder().decode(body ?? new Uint8Array());
  return [
    ...otherJson(text).map(
      (json): Signed => [
        json,
        'the same JSON with other white space: serialise the body once, sign that text and send it',
      ],
    ),
    [`${text}\n`, 'the body with a line break at the end, which is not sent'],
    [query ?? '', 'the query: this method signs the body'],
  ];
}

function listQueryMistakes(query: string | null, body: Uint8Array | null): Signed[] {
  return [
    ...otherQueries(query ?? '').map(
      (other): Signed => [
        other,
        'another encoding of the query: sign it exactly as in the URL, without the ?',
      ],
    ),
    [new TextDecoder().decode(body ?? new Uint8Array()), 'the body: this method signs the query'],
  ];
}

function otherJson(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    const spaced = JSON.stringify(value, null, 1)
      .replaceAll(/\n */g, ' ')
      .replaceAll(/([[{]) | ([\]}])/g, '$1$2');
    return [2, 4, '\t', 0].map((space) => JSON.stringify(value, null, space)).concat(spaced);
  } catch {
    return [];
  }
}

function otherQueries(query: string): string[] {
  const pairs = [...new URLSearchParams(query)];
  return [
    `?${query}`,
    pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    query.split('&').toSorted().join('&'),
    JSON.stringify(Object.fromEntries(pairs)),
  ];
}
