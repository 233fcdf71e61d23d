import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';

export interface ListedOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

export interface OperationGroup {
  /** Where on the page it stands. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ListedOperation[];
}

const untagged = 'Other';

/** The operations by their first tag: those of the document in its order, then those it does not describe. */
export function groupOperations({ paths, tags }: OpenApiDocument): OperationGroup[] {
  const groups = new Map<string, ListedOperation[]>(tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.tags[0] ?? untagged;
      groups.set(name, [...(groups.get(name) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  const descriptions = new Map(tags.map(({ name, description }) => [name, description]));
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([name, operations]) => ({
      id: `group-${name.toLowerCase().replaceAll(/\s+/g, '-')}`,
      name,
      description: descriptions.get(name) ?? '',
      operations,
    }));
}
