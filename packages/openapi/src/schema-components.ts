import type { TSchema } from 'typebox';

type JsonSchema = Record<string, unknown>;

/**
 * Collects the named schemas of a document. A schema with a `title` becomes a component, and a reference stands in its
 * place. Two different schemas with one title are an error.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, string>();

  /** Returns the schema with references in place of named schemas. */
  reference(schema: TSchema): JsonSchema {
    // TypeBox keeps its own notes in properties that JSON leaves out.
    return this.#extract(JSON.parse(JSON.stringify(schema))) as JsonSchema;
  }

  /** The named schemas, sorted by name. */
  list(): Record<string, JsonSchema> {
    const sorted = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text)]));
  }

  #extract(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#extract(item));
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = value as JsonSchema;
    // A property may be called `title` too. Then it is a schema, and no name.
    const schema = typeof title === 'string' ? rest : { ...(value as JsonSchema) };
    // In floating-point arithmetic 0.29 is not a multiple of 0.01, so validators of clients would refuse it.
    if (typeof schema.multipleOf === 'number' && !Number.isInteger(schema.multipleOf))
      delete schema.multipleOf;
    const inner = Object.fromEntries(Object.entries(schema).map(([key, item]) => [key, this.#extract(item)]));
    if (typeof title !== 'string') return inner;
    const text = JSON.stringify(inner);
    const known = this.#schemas.get(title);
    if (known !== undefined && known !== text) throw new Error(`Two schemas have the title ${title}`);
    this.#schemas.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  }
}
