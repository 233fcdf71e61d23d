import { catalogue, type FieldDescription, type OperationDescription } from '@keyfront/sdk/operations';

type OperationId = keyof typeof catalogue;

const operations: readonly OperationDescription[] = Object.values(catalogue);

/** The values of an enumerated query parameter. The API accepts an empty text as "no filter"; a flag is left out. */
export function listChoices<Id extends OperationId>(
  operation: Id,
  parameter: keyof (typeof catalogue)[Id]['query'] & string,
): string[] {
  const query: Readonly<Record<string, FieldDescription>> = catalogue[operation].query;
  return query[parameter]?.values?.filter((value) => value !== '') ?? [];
}

/** The operations of a method. */
export function listOperations(method: string): OperationDescription[] {
  return operations.filter((operation) => operation.method === method);
}

/** The operation that a path with values for its parameters belongs to. */
export function findOperation(method: string, path: string): OperationDescription | undefined {
  const [pathname = ''] = path.split('?');
  const segments = pathname.replace(/^\/?/, '/').split('/');
  const matching = listOperations(method).filter((operation) => {
    const template = operation.path.split('/');
    return (
      template.length === segments.length &&
      template.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  // `/orders/summary` is not the order with the ID "summary".
  return matching.find((operation) => !operation.path.includes('{')) ?? matching[0];
}
