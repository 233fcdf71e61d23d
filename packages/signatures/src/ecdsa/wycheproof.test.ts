import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { needs } from '../../../../test/support/requirements.ts';
import { HashedPayload } from './hashed-payload.ts';
import { parsePublicKey } from './public-key.ts';
import { parseSignature } from './signature-value.ts';
import { loadLibsecp256k1Verifier, type SignatureVerifier, verifyWithNodeCrypto } from './verifiers.ts';

interface Vector {
  readonly tcId: number;
  readonly comment: string;
  readonly msg: string;
  readonly sig: string;
  /** "valid" or "invalid". The test fails on "acceptable", which does not occur in these two files. */
  readonly result: string;
}

interface VectorFile {
  readonly numberOfTests: number;
  readonly testGroups: readonly { readonly publicKeyPem: string; readonly tests: readonly Vector[] }[];
}

// The vectors are not part of the repository. They are run if they are in a folder beside it.
const folder = fileURLToPath(new URL('../../../../../shared/vectors/wycheproof/', import.meta.url));
const files = [
  { name: 'ecdsa_secp256k1_sha256_test.json', count: 476 },
  { name: 'ecdsa_secp256k1_sha256_p1363_test.json', count: 252 },
];
const verifiers: [string, SignatureVerifier | null][] = [
  ['libsecp256k1', loadLibsecp256k1Verifier()],
  ['node:crypto', verifyWithNodeCrypto],
];

function readVectors(name: string): VectorFile {
  return JSON.parse(readFileSync(`${folder}${name}`, 'utf8'));
}

function verify(verifier: SignatureVerifier, publicKeyPem: string, { msg, sig }: Vector): boolean {
  const key = parsePublicKey(Buffer.from(publicKeyPem).toString('base64'));
  if (!key.ok) throw new Error(key.reason);
  const signature = parseSignature(Buffer.from(sig, 'hex').toString('base64'));
  if (!signature.ok) return false;
  return verifier(new HashedPayload(Buffer.from(msg, 'hex')), signature.signature, key.key);
}

for (const [verifierName, verifier] of verifiers) {
  if (!verifier) {
    it(`Wycheproof vectors with ${verifierName}`, needs('libsecp256k1'), () => {});
    continue;
  }
  describe(`Wycheproof vectors with ${verifierName}`, needs('test vectors'), () => {
    it.each(files)('$name: $count vectors', ({ name, count }) => {
      const { numberOfTests, testGroups } = readVectors(name);
      const wrong: string[] = [];
      let checked = 0;
      for (const { publicKeyPem, tests } of testGroups) {
        for (const vector of tests) {
          const found = verify(verifier, publicKeyPem, vector) ? 'valid' : 'invalid';
          if (found !== vector.result) wrong.push(`${vector.tcId} (${vector.comment}): ${found}`);
          checked++;
        }
      }
      expect(wrong).toEqual([]);
      expect(checked).toBe(count);
      expect(numberOfTests).toBe(count);
    });
  });
}
