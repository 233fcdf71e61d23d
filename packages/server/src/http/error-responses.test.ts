import { DatabaseUnavailable } from '@keyfront/postgres';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { ApiError } from '../lib/errors/api-error.ts';
import { ClientDisconnected } from '../lib/request/client-connection.ts';
import { createLogger } from '../observability/logging.ts';
import { sendError } from './error-responses.ts';

it.each<[string, Error, number, number]>([
  ['a bug', new TypeError('broken on purpose'), 500, 1],
  ['an unavailable database', new DatabaseUnavailable('unavailable'), 503, 1],
  ['an error of the caller', new ApiError('RESOURCE_NOT_FOUND'), 404, 0],
  // There may be thousands of them in a second, and the log line of each request shows the status.
  ['an overload', new ApiError('OVERLOADED'), 503, 0],
  ['a client that has disconnected', new ClientDisconnected(), 400, 0],
])('%s is logged as an error only if an operator should investigate', async (_what, error, status, lines) => {
  const written: string[] = [];
  const app = fastify({ loggerInstance: createLogger('info', { write: (line) => written.push(line) }) });
  app.setErrorHandler(sendError);
  app.get('/', () => {
    throw error;
  });
  expect((await app.inject('/')).statusCode).toBe(status);
  expect(written.filter((line) => JSON.parse(line).level === 'error')).toHaveLength(lines);
});
