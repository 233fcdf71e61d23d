import { signsBody } from '../generated/canonical-payload.ts';
import { signingMistakes } from '../generated/signature-issues.ts';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { toHex } from '../signing/hex.ts';

/** Something that is often signed by mistake. */
export interface Mistake {
  readonly payload: Uint8Array;
  /** What was signed. */
  readonly hint: string;
}

/** What callers sign instead of the payload, the most common mistake first. */
export function listCommonMistakes(request: PreparedRequest, sha256: Uint8Array): Mistake[] {
  const { method, url, query, body, payload } = request;
  const mistake = (text: string | Uint8Array, hint: string): Mistake => ({
    payload: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    hint,
  });
  const path = new URL(url).pathname;
  return [
    mistake('', signingMistakes.emptyText),
    ...(signsBody(method) ? listBodyMistakes(body, query) : listQueryMistakes(query, body)).map((each) =>
      mistake(...each),
    ),
    mistake(Uint8Array.of(...payload, 0x0a), signingMistakes.lineBreak),
    ...[path, path + (query === null ? '' : `?${query}`), url, `${method} ${path}`].map((text) =>
      mistake(text, 'the URL or path was signed, which is not part of the payload'),
    ),
    mistake(sha256, signingMistakes.hash),
    mistake(toHex(sha256), signingMistakes.hexHash),
    mistake(toHex(payload), 'it was signed in hex: sign its bytes'),
  ];
}

type Signed = readonly [text: string, hint: string];

function listBodyMistakes(body: Uint8Array | null, query: string | null): Signed[] {
  const text = new TextDecoder().decode(body ?? new Uint8Array());
  return [
    ['{}', signingMistakes.emptyObjectForBody],
    ...otherJson(text).map(
      (json): Signed => [
        json,
        'the same JSON with other white space was signed: serialise the body once, sign that text and send it',
      ],
    ),
    [query ?? '', signingMistakes.queryForBody],
  ];
}

function listQueryMistakes(query: string | null, body: Uint8Array | null): Signed[] {
  return [
    ['{}', signingMistakes.emptyObjectForQuery],
    [`?${query ?? ''}`, signingMistakes.questionMark],
    ...otherQueries(query ?? '').map(
      (other): Signed => [
        other,
        'another encoding of the query was signed: sign it exactly as in the URL, without the ?',
      ],
    ),
    [
      new TextDecoder().decode(body ?? new Uint8Array()),
      'the body was signed, but for this method the query must be signed',
    ],
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
    pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    query.split('&').toSorted().join('&'),
    // The values of a query are strings, so numbers are other bytes.
    JSON.stringify(Object.fromEntries(pairs.map(([name, value]) => [name, toNumberIfOne(value)]))),
  ];
}

function toNumberIfOne(text: string): number | string {
  return String(Number(text)) === text ? Number(text) : text;
}
