import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAnyClaim, readUsualClaim } from './signature-input.ts';

const keyid = 'ab'.repeat(32);
const signature = Buffer.alloc(64, 7).toString('base64');
const usual = `sig1=("@method" "@target-uri" "content-digest");created=1794800000;keyid="${keyid}";nonce="a.b-c~0123456789"`;

it('reads the usual form without parsing structured fields', () => {
  expect(readUsualClaim(usual, `sig1=:${signature}:`)).toMatchObject({
    input: {
      components: ['@method', '@target-uri', 'content-digest'],
      created: 1794800000,
      keyid,
      nonce: 'a.b-c~0123456789',
    },
  });
});

it('reads nothing else than the parser of structured fields', () => {
  const edit = fc.record({
    at: fc.nat(200),
    length: fc.nat(2),
    text: fc.stringMatching(/^["@a-z0;:=() ]{0,2}$/),
  });
  const apply = (header: string, { at, length, text }: { at: number; length: number; text: string }) =>
    header.slice(0, at) + text + header.slice(at + length);
  fc.assert(
    fc.property(edit, edit, (ofInput, ofSignature) => {
      const [input, sent] = [apply(usual, ofInput), apply(`sig1=:${signature}:`, ofSignature)];
      const claim = readUsualClaim(input, sent);
      if (claim) expect(claim).toEqual(readAnyClaim(input, sent));
    }),
    { numRuns: 3_000 },
  );
  for (const header of [
    usual,
    `sig1=("@method");created=0;keyid="${keyid}"`,
    `sig1=("@method" "@method");created=1;keyid="${keyid}"`,
    `sig1=("@status");created=1;keyid="${keyid}"`,
    `sig1=("@method");created=01;keyid="${keyid}"`,
  ]) {
    const claim = readUsualClaim(header, `sig1=:${signature}:`);
    if (claim) expect(claim).toEqual(readAnyClaim(header, `sig1=:${signature}:`));
  }
});
