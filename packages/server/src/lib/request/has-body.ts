import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body that must be read. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
