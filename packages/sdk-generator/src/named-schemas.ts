import { eventTable, type Operation } from '@keyfront/protocol';
import { capitalise } from './capitalise.ts';
import type { JsonSchema } from './json-schema.ts';
import { writeStructure } from './write-type.ts';

/** The schemas that become types of their own, by name. */
export interface NamedSchemas {
  /** Schemas that have a title. */
  readonly models: ReadonlyMap<string, JsonSchema>;
  /** Queries of operations. */
  readonly queries: ReadonlyMap<string, JsonSchema>;
}

/** Collects the schemas that become types. A query is called what the protocol calls it, or after its operation. */
export function collectNamedSchemas(
  operations: readonly Operation[],
  exportNames: ReadonlyMap<unknown, string>,
): NamedSchemas {
  const models = new Map<string, JsonSchema>();
  const queries = new Map<string, JsonSchema>();
  const visit = (schema: JsonSchema): void => {
    if (schema.title !== undefined) addOnce(models, schema.title, schema);
    for (const child of childrenOf(schema)) visit(child);
  };
  for (const operation of operations) {
    const { query, file, body, response } = operation;
    const route = `\`${operation.method} ${operation.path}\``;
    if (body) visit(describe(body as JsonSchema, `Body of ${route}`));
    visit(describe(response as JsonSchema, `Response of ${route}`));
    for (const schema of [query, file?.query]) {
      if (!schema) continue;
      visit(schema as JsonSchema);
      const name = queryNameOf(operation, schema, exportNames);
      addOnce(queries, name, describe(schema as JsonSchema, `Query of ${route}`));
    }
  }
  for (const { data } of Object.values(eventTable)) visit(data as JsonSchema);
  for (const name of queries.keys()) {
    if (models.has(name)) throw new Error(`A query and another schema are both called ${name}`);
  }
  return { models: sortByName(models), queries: sortByName(queries) };
}

/** The name of the type of a query. */
export function queryNameOf(
  { id, query }: Pick<Operation, 'id' | 'query'>,
  schema: unknown,
  exportNames: ReadonlyMap<unknown, string>,
): string {
  return exportNames.get(schema) ?? `${capitalise(id)}${schema === query ? '' : 'File'}Query`;
}

function describe(schema: JsonSchema, description: string): JsonSchema {
  return schema.description === undefined ? { ...schema, description } : schema;
}

function addOnce(schemas: Map<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const other = schemas.get(name);
  if (other && withoutComments(other) !== withoutComments(schema)) {
    throw new Error(`Two schemas that differ are both called ${name}`);
  }
  if (!other) schemas.set(name, schema);
}

function withoutComments(schema: JsonSchema): string {
  return writeStructure(schema).replaceAll(/\s*\/\*\*.*?\*\//gs, '');
}

function childrenOf({ properties = {}, anyOf = [], items, additionalProperties }: JsonSchema): JsonSchema[] {
  return [...Object.values(properties), ...anyOf, items, additionalProperties].filter(
    (child) => typeof child === 'object',
  );
}

function sortByName(schemas: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  return new Map([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
