import { hash } from 'node:crypto';
import { type Rejection, reject } from '../rejection.ts';
import { refusalReasons } from './refusal-reasons.ts';
import { parseDictionary } from './structured-fields.ts';

/** The algorithms of RFC 9530 that are not deprecated, with their names in Node. */
const algorithms: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/** Checks that `Content-Digest` (RFC 9530) is that of the body. Digests with other algorithms are ignored. */
export function checkContentDigest(value: string, body: Uint8Array): { readonly ok: true } | Rejection {
  const digests = parseDictionary(value);
  if (!digests) return reject(refusalReasons.digestForm());
  let isChecked = false;
  for (const [name, member] of digests) {
    const algorithm = algorithms.get(name);
    if (algorithm === undefined) continue;
    if (!('value' in member) || member.value.type !== 'bytes') {
      return reject(refusalReasons.digestForm());
    }
    if (!member.value.value.equals(hash(algorithm, body, 'buffer'))) {
      return reject(refusalReasons.digestDiffers(name));
    }
    isChecked = true;
  }
  return isChecked ? { ok: true } : reject(refusalReasons.digestUnknown());
}
