import { isJsonObject, type JsonObject, textAt, valueAt } from './json-value.ts';

// References may form a cycle. No real document nests them this deep.
const mostHops = 16;

/**
 * The object itself, or the one that its `$ref` points to inside `root`, the whole document. What stands beside a
 * `$ref`, such as a description, takes precedence. Null where the reference leads nowhere.
 */
export function resolveReference(value: unknown, root: unknown): JsonObject | null {
  let found = value;
  let beside: JsonObject = {};
  for (let hops = 0; hops < mostHops; hops += 1) {
    if (!isJsonObject(found)) return null;
    const reference = textAt(found, '$ref');
    if (!reference) return { ...found, ...beside };
    const { $ref: _, ...siblings } = found;
    beside = { ...siblings, ...beside };
    found = lookUp(reference, root);
  }
  return null;
}

/** `Order` of `#/components/schemas/Order`; empty where the value is no reference. */
export function referenceName(value: unknown): string {
  const reference = textAt(value, '$ref');
  return decodePointer(reference.slice(reference.lastIndexOf('/') + 1));
}

function lookUp(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return valueAt(root, ...reference.slice(2).split('/').map(decodePointer));
}

function decodePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
