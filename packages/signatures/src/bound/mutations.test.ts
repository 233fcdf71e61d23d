import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from '../../../../test/support/scale.ts';
import { signBound } from '../../../../test/support/sign-bound.ts';
import { type BoundRequest, BoundVerifier } from './bound-verifier.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const spki = publicKey.export({ type: 'spki', format: 'der' });

/** A request as it arrives. */
interface Sent {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string | null;
  readonly body: string;
  readonly input: string;
  readonly signature: string;
  readonly digest: string;
  readonly type: string;
}

const verifier = new BoundVerifier();

function isAccepted({ method, scheme, authority, path, query, ...sent }: Sent): boolean {
  const request: BoundRequest = {
    inputHeader: sent.input,
    signatureHeader: sent.signature,
    method,
    address: { scheme, authority, path, query },
    rawHeaders: ['Content-Type', sent.type, ...(sent.digest === '' ? [] : ['Content-Digest', sent.digest])],
    hasBody: method !== 'GET' && sent.body !== '',
  };
  const claim = verifier.readClaim(request);
  return claim.ok && verifier.verify(request, claim, spki, Buffer.from(sent.body)).ok;
}

const parts = [['@target-uri'], ['@authority', '@path', '@query']];

/** Signed requests of every form: with each method, each way to cover the address, with a query and without. */
const signed: Sent[] = ['GET', 'POST', 'PATCH', 'DELETE'].flatMap((method) =>
  parts.flatMap((address) =>
    [null, 'b=2&a=%7E+x'].map((query) => {
      const [authority, path, type] = ['shop.example:8443', '/api/v1/dapp/orders/7', 'application/json'];
      const body = method === 'POST' || method === 'PATCH' ? '{"clientId":"42"}' : '';
      const url = `https://${authority}${path}${query === null ? '' : `?${query}`}`;
      const components = ['@method', ...address, 'content-type', ...(body === '' ? [] : ['content-digest'])];
      const headers = signBound(privateKey, { method, url, body }, { components });
      const { 'signature-input': input = '', signature = '', 'content-digest': digest = '' } = headers;
      return { method, scheme: 'https', authority, path, query, body, input, signature, digest, type };
    }),
  ),
);

/** Replaces, removes or adds one character. */
const editText = fc
  .record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'remove', 'add'),
    character: fc.constantFrom(...'abyz0189/._-~%2F&=+"; '),
  })
  .map(({ at, kind, character }) => (text: string) => {
    const place = at % (text.length + 1);
    const end = place + (kind === 'add' ? 0 : 1);
    return text.slice(0, place) + (kind === 'remove' ? '' : character) + text.slice(end);
  });

/** Flips one bit of the signature. */
const flipBit = fc.nat(64 * 8 - 1).map((bit) => ({ signature, ...sent }: Sent): Sent => {
  const bytes = Buffer.from(signature.slice('sig1=:'.length, -1), 'base64');
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return { ...sent, signature: `sig1=:${bytes.toString('base64')}:` };
});

const texts = ['authority', 'path', 'body', 'digest', 'type', 'input'] as const;

const mutation: fc.Arbitrary<(sent: Sent) => Sent> = fc.oneof(
  fc
    .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
    .map((method) => (sent: Sent) => ({ ...sent, method })),
  ...texts.map((name) =>
    editText.map(
      (edit) =>
        (sent: Sent): Sent => ({ ...sent, [name]: edit(sent[name]) }),
    ),
  ),
  editText.map((edit) => (sent: Sent) => ({ ...sent, query: edit(sent.query ?? 'a=1') })),
  fc.constant((sent: Sent) => ({ ...sent, query: sent.query === null ? 'a=1' : null })),
  flipBit,
);

it('accepts the requests as they were signed', () => {
  for (const sent of signed) expect([sent, isAccepted(sent)]).toEqual([sent, true]);
});

/** 10,000 in `npm run test:long`. */
const runs = scaled(2_500);

it(`accepts none of ${runs} requests that were changed on their way`, () => {
  fc.assert(
    fc.property(fc.constantFrom(...signed), mutation, (sent, mutate) => {
      const changed = mutate(sent);
      // The content of a body decides, so a digest that is not covered is not a change.
      fc.pre(Object.keys(sent).some((name) => isCoveredChange(name as keyof Sent, sent, changed)));
      expect([changed, isAccepted(changed)]).toEqual([changed, false]);
    }),
    { numRuns: runs },
  );
});

function isCoveredChange(name: keyof Sent, before: Sent, after: Sent): boolean {
  if (before[name] === after[name]) return false;
  const covers = (component: string) => before.input.includes(`"${component}"`);
  // The body of a request that was signed without one is refused, unless it is a GET, whose body nobody reads.
  if (name === 'body') return before.method !== 'GET';
  if (name === 'digest' && !covers('content-digest')) return false;
  // Blanks around the value of a header are not part of it.
  if (name === 'digest' || name === 'type') return before[name].trim() !== after[name].trim();
  // By RFC 9421 no query and an empty one are the same component.
  if (name === 'query' && covers('@query')) return (before.query ?? '') !== (after.query ?? '');
  if (name === 'input') return meaningOf(before.input) !== meaningOf(after.input);
  return true;
}

/**
 * Removes blanks between the parts of the header, which are not signed because a proxy may change them, and zeros in front of
 * the time, which are not part of a number.
 */
function meaningOf(input: string): string {
  return input.replaceAll(' ', '').replace(/(?<=;created=)0+/, '');
}
