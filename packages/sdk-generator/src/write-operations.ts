import type { Operation } from '@keyfront/protocol';
import { writeLiteral } from './write-literal.ts';

/** Writes `operations.ts`: what the client needs to know of an operation at run time. */
export function writeOperations(operations: readonly Operation[]): string {
  const entries = operations.map(
    ({ id, method, path, retry }) => `  ${id}: ${writeLiteral({ method, path, retry })},\n`,
  );
  return `import type { OperationRoute } from '../requests/operation-route.ts';

/** Every operation by its id. */
export const operations = {
${entries.join('')}} as const satisfies Record<string, OperationRoute>;
`;
}
