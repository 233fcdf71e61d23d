/** The part of JSON Schema that operations use. */
export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
}

/** The schema without the null of a nullable one. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const [first, second, ...others] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || others.length > 0) return schema;
  return schema.description === undefined ? first : { ...first, description: schema.description };
}

/** The values of an enumeration of strings; null for any other schema. */
export function enumerationOf(schema: JsonSchema): readonly string[] | null {
  const { enum: values } = withoutNull(schema);
  return values?.every((value) => typeof value === 'string') ? values : null;
}

/** The sets of properties of which an object must have at least one; empty where there is no such rule. */
export function requiredChoicesOf({ properties, anyOf = [] }: JsonSchema): readonly (readonly string[])[] {
  return properties ? anyOf.map(({ required = [] }) => required) : [];
}
