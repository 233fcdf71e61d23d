/** The parts of JSON Schema that the operation table uses, with its own marks. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly 'x-alias-of'?: string;
  readonly 'x-personal-data'?: boolean;
  readonly 'x-untrusted'?: boolean;
  readonly 'x-secret'?: boolean;
  readonly 'x-agents-send'?: string;
}

/** The schema of an object with these fields. `required` is left out if it is empty. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema & { readonly type: 'object' } {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Keeps the fields for which a function returns something. */
export function mapFields<Result>(
  properties: Readonly<Record<string, JsonSchema>> = {},
  map: (schema: JsonSchema) => Result | null,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const mapped = map(schema);
      return mapped === null ? [] : [[name, mapped] as const];
    }),
  );
}
