import { uuidForm } from '@keyfront/protocol';
import type { Random } from './random.ts';

const maxIdsPerName = 200;

/** Ids that responses contained, by the name under which a request sends them, such as `clientId`. */
export class IdPool {
  readonly #ids = new Map<string, string[]>();
  readonly #protected: ReadonlySet<string>;

  /** Requests never get these ids: the API keys of the fuzzer itself, which it would revoke. */
  constructor(protectedIds: readonly string[] = []) {
    this.#protected = new Set(protectedIds);
  }

  /** An id with this name; undefined if no response has contained one yet. */
  pick(name: string, random: Random): string | undefined {
    const ids = this.#ids.get(name);
    return ids && random.pick(ids);
  }

  /** Collects the ids of a response. `name` is that of an `id` directly in the value. */
  collect(value: unknown, name: string): void {
    if (Array.isArray(value)) {
      // The rest of a long list adds nothing.
      for (const each of value.slice(0, 5)) this.collect(each, name);
    } else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) {
        if (typeof inner === 'string') this.#add(field === 'id' ? name : field, inner);
        else this.collect(inner, idNameOf(field));
      }
    }
  }

  #add(name: string, id: string): void {
    if (!uuidForm.test(id) || this.#protected.has(id)) return;
    const ids = this.#ids.get(name) ?? [];
    this.#ids.set(name, ids);
    if (ids.includes(id)) return;
    ids.push(id);
    if (ids.length > maxIdsPerName) ids.shift();
  }
}

/** `clients` and `/dapp/clients` become `clientId`. */
export function idNameOf(collection: string): string {
  const [last = ''] = collection
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
    .slice(-1);
  return `${last.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
}
