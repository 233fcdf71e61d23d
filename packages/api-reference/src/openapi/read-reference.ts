import { curlCommand } from './curl-command.ts';
import { entriesAt, isJsonObject, type JsonObject, listAt, textAt, valueAt } from './json-value.ts';
import type { ReferenceDocument } from './openapi-document.ts';
import { isJsonType, readResponses } from './read-responses.ts';
import type { Body, Operation, OperationGroup, ParameterList, Reference, Sample } from './reference.ts';
import { resolveReference } from './resolve-reference.ts';
import { type Field, readField, readFields } from './schema-fields.ts';
import { readShape } from './schema-shape.ts';
import { factsOf } from './schema-words.ts';
import { accessInWords, readSchemes, readSecurity } from './security-words.ts';

export interface ReadOptions {
  /**
   * The property of every successful response that carries its payload, for services that wrap their responses in an
   * envelope. The page then shows the payload and leaves the envelope out.
   */
  readonly payloadProperty?: string;
}

/** Reads everything that the pages show out of a document. */
export function readReference(document: ReferenceDocument, options: ReadOptions = {}): Reference {
  const { info, servers = [] } = document;
  return {
    title: textAt(info, 'title'),
    version: textAt(info, 'version'),
    summary: textAt(info, 'summary'),
    description: textAt(info, 'description'),
    servers: servers.map((server) => ({ url: server.url, description: server.description ?? '' })),
    schemes: readSchemes(document),
    groups: groupOperations(document, options),
  };
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
const untagged = { paths: 'Other', webhooks: 'Webhooks' } as const;

/** Groups operations by their first tag: the tags that the document describes in their order, then the others. */
function groupOperations(document: ReferenceDocument, options: ReadOptions): OperationGroup[] {
  const tags = document.tags ?? [];
  const groups = new Map<string, Operation[]>(tags.map(({ name }) => [name, []]));
  const ids = new Set<string>();
  for (const kind of ['paths', 'webhooks'] as const) {
    for (const [path, item] of entriesAt(document, kind)) {
      const pathItem = resolveReference(item, document);
      for (const [method, operation] of entriesAt(pathItem)) {
        if (!methods.has(method) || !isJsonObject(operation)) continue;
        const name = operation.tags ? String(listAt(operation, 'tags')[0] ?? untagged[kind]) : untagged[kind];
        const read = readOperation({ document, options, kind, path, method, pathItem, operation, ids });
        groups.set(name, [...(groups.get(name) ?? []), read]);
      }
    }
  }
  const groupIds = new Set<string>();
  const descriptions = new Map(tags.map(({ name, description }) => [name, description ?? '']));
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([name, operations]) => ({
      id: uniqueId(slug(name), groupIds),
      name,
      description: descriptions.get(name) ?? '',
      operations,
    }));
}

interface OperationSource {
  readonly document: ReferenceDocument;
  readonly options: ReadOptions;
  readonly kind: 'paths' | 'webhooks';
  readonly path: string;
  readonly method: string;
  readonly pathItem: unknown;
  readonly operation: JsonObject;
  /** The ids given so far. */
  readonly ids: Set<string>;
}

function readOperation(source: OperationSource): Operation {
  const { document, options, kind, path, operation, ids } = source;
  const method = source.method.toUpperCase();
  const id = uniqueId(textAt(operation, 'operationId') || slug(`${method} ${path}`), ids);
  const parameters = mergeParameters(source);
  const given = readSamples(operation);
  const isWebhook = kind === 'webhooks';
  return {
    id,
    method,
    path,
    isWebhook,
    title: textAt(operation, 'summary') || (isWebhook ? path : `${method} ${path}`),
    description: textAt(operation, 'description'),
    isDeprecated: operation.deprecated === true,
    access: accessInWords(readSecurity(operation, document), document),
    parameters: listParameters(parameters, document),
    body: readBody(operation, document),
    responses: readResponses(operation.responses, document, options.payloadProperty),
    samples:
      given.length > 0 || isWebhook
        ? given
        : [
            {
              label: 'cURL',
              language: 'bash',
              source: curlCommand(document, { method, path, operation, parameters }),
            },
          ],
  };
}

function uniqueId(wanted: string, ids: Set<string>): string {
  let id = wanted;
  for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`;
  ids.add(id);
  return id;
}

/** The parameters of the operation and those of its path that it does not override, references resolved. */
function mergeParameters({ document, pathItem, operation }: OperationSource): JsonObject[] {
  const merged = new Map<string, JsonObject>();
  for (const parameter of [...listAt(pathItem, 'parameters'), ...listAt(operation, 'parameters')]) {
    const resolved = resolveReference(parameter, document);
    if (resolved) merged.set(`${textAt(resolved, 'in')} ${textAt(resolved, 'name')}`, resolved);
  }
  return [...merged.values()];
}

const places = ['path', 'query', 'header', 'cookie'];

function listParameters(parameters: readonly JsonObject[], document: ReferenceDocument): ParameterList[] {
  return places
    .map((place) => ({
      place,
      fields: parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => readParameter(parameter, document)),
    }))
    .filter(({ fields }) => fields.length > 0);
}

function readParameter(parameter: JsonObject, document: ReferenceDocument): Field {
  const [, media] = entriesAt(parameter, 'content')[0] ?? [];
  const schema = parameter.schema ?? valueAt(media, 'schema');
  const field = readField(
    { name: textAt(parameter, 'name'), schema, isRequired: parameter.required === true },
    document,
  );
  const { example } = parameter;
  return {
    ...field,
    description: textAt(parameter, 'description') || field.description,
    isDeprecated: parameter.deprecated === true || field.isDeprecated,
    example: example === undefined || typeof example === 'object' ? field.example : String(example),
  };
}

function readBody(operation: JsonObject, document: ReferenceDocument): Body | null {
  const body = resolveReference(operation.requestBody, document);
  const contents = entriesAt(body, 'content');
  const [contentType, media] = contents.find(([type]) => isJsonType(type)) ?? contents[0] ?? [];
  if (contentType === undefined) return null;
  const schema = valueAt(media, 'schema');
  const shape = readShape(schema, document);
  return {
    isRequired: valueAt(body, 'required') === true,
    contentType,
    description: textAt(body, 'description') || shape.description,
    facts: factsOf(shape, schema, document),
    fields: readFields(schema, document),
  };
}

function readSamples(operation: JsonObject): Sample[] {
  return listAt(operation, 'x-codeSamples').flatMap((sample) => {
    const source = textAt(sample, 'source');
    const language = textAt(sample, 'lang');
    return source ? [{ label: textAt(sample, 'label') || language, language, source }] : [];
  });
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
