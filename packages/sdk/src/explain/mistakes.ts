import { signsBody } from '@keyfront/protocol/canonical-payload';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { toHex } from './hex.ts';

/** Something that is signed by mistake, and what to say about it. */
export interface Mistake {
  readonly payload: Uint8Array;
  readonly sentence: string;
}

/** What callers sign in place of the payload, the commonest first. */
export function listMistakes(request: PreparedRequest, sha256: Uint8Array): Mistake[] {
  const { method, url, query, body, payload } = request;
  const mistake = (text: string | Uint8Array, sentence: string): Mistake => ({
    payload: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    sentence: `The signature covers ${sentence}`,
  });
  const path = new URL(url).pathname;
  return [
    mistake('', 'the empty string; where there is neither a query nor a body, sign the two characters {}'),
    mistake('{}', `{} although the request has a ${signsBody(method) ? 'body' : 'query'}: sign that`),
    ...(signsBody(method) ? listBodyMistakes(body, query) : listQueryMistakes(query, body)).map((each) =>
      mistake(...each),
    ),
    ...[path, path + (query === null ? '' : `?${query}`), url, `${method} ${path}`].map((address) =>
      mistake(address, 'the address, which is not part of what is signed'),
    ),
    mistake(sha256, 'the hash of the payload: the library hashes by itself, so hand it the payload'),
    mistake(toHex(sha256), 'the hash of the payload in hex: hand the payload itself to the library'),
    mistake(toHex(payload), 'the payload in hex: sign its bytes'),
  ];
}

type Signed = readonly [text: string, sentence: string];

function listBodyMistakes(body: Uint8Array | null, query: string | null): Signed[] {
  const text = new TextDecoder().decode(body ?? new Uint8Array());
  return [
    ...otherJson(text).map(
      (json): Signed => [
        json,
        'the same JSON in other blanks than it is sent with: make the text once, sign it and send it',
      ],
    ),
    [`${text}\n`, 'the body with a line end after it, which is not sent'],
    [query ?? '', 'the query, but of this method the body is signed'],
  ];
}

function listQueryMistakes(query: string | null, body: Uint8Array | null): Signed[] {
  return [
    ...otherQueries(query ?? '').map(
      (other): Signed => [
        other,
        'another spelling of the query: sign it as it stands in the address, without the ?',
      ],
    ),
    [new TextDecoder().decode(body ?? new Uint8Array()), 'the body, but of this method the query is signed'],
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
