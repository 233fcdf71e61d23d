type Part = Readonly<Record<string, unknown>>;

/** Applies a change to every object of a schema, from the inside out. Returns a copy. */
export function rewriteSchema<Schema>(schema: Schema, change: (part: Part) => Part): Schema {
  const rewrite = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(rewrite);
    if (typeof part !== 'object' || part === null) return part;
    // Typebox keeps the kind of a schema in properties that are not enumerable.
    return change(Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, rewrite(inner)])));
  };
  return rewrite(schema) as Schema;
}
