import { BoundedMap } from '../../lib/bounded-map.ts';
import { type PublicKey, type PublicKeyResult, parsePublicKey } from './public-key.ts';

const defaultLimit = 10_000;
// A key takes about 250 characters. Longer headers are valid, but must not fill the memory.
const maxCachedLength = 1024;

/** Caches public keys by the text of their header, so that a key is parsed once and not for every request. */
export class PublicKeyCache {
  readonly #keys: BoundedMap<PublicKey>;

  constructor(limit = defaultLimit) {
    this.#keys = new BoundedMap(limit);
  }

  get size(): number {
    return this.#keys.size;
  }

  parse(text: string): PublicKeyResult {
    const cached = this.#keys.get(text);
    if (cached) return { ok: true, key: cached };
    const result = parsePublicKey(text);
    if (result.ok && text.length <= maxCachedLength) this.#keys.set(text, result.key);
    return result;
  }
}
