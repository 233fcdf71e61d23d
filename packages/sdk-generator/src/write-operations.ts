import type { Operation } from '@keyfront/protocol';
import { writeLiteral } from './write-literal.ts';

/** The service reads the type of a file from its content. */
const uploadType = 'application/octet-stream';

/** Writes `operations.ts`: what the client needs to know of an operation at run time. */
export function writeOperations(operations: readonly Operation[]): string {
  const entries = operations.map(
    ({ id, method, path, access, retry, upload }) =>
      `  ${id}: ${writeLiteral({
        ...{ method, path, retry },
        ...(access === 'public' && { isPublic: true }),
        ...(upload && { contentType: uploadType }),
      })},\n`,
  );
  return `import type { OperationRoute } from '../requests/operation-route.ts';

/** Every operation by its id. */
export const operations = {
${entries.join('')}} as const satisfies Record<string, OperationRoute>;
`;
}
