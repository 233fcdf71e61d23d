import { BoundedMap } from '../../bounded-map.ts';
import { type PublicKey, type PublicKeyResult, parsePublicKey } from './public-key.ts';

const defaultLimit = 10_000;
// A key takes about 250 characters; longer headers are valid too, but must not fill the memory.
const longestKept = 1024;

/** Keys by the text of the header they came in, so that a caller's key is parsed once and not with every request. */
export class ParsedKeys {
  readonly #keys: BoundedMap<PublicKey>;

  constructor(limit = defaultLimit) {
    this.#keys = new BoundedMap(limit);
  }

  get size(): number {
    return this.#keys.size;
  }

  parse(text: string): PublicKeyResult {
    const known = this.#keys.get(text);
    if (known) return { ok: true, key: known };
    const result = parsePublicKey(text);
    if (result.ok && text.length <= longestKept) this.#keys.set(text, result.key);
    return result;
  }
}
