import type { ServerResponse } from 'node:http';
import type { OperationRequest, OperationResponse } from '@keyfront/mcp';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inject } from 'light-my-request';
import { setCause } from '../auth/caused-requests.ts';
import { versionPrefix } from '../lib/request/version-prefix.ts';

/**
 * Calls an operation for the caller of another request. It passes through everything that a request from outside passes through, with
 * the credential and the address of its cause. Only the rate limit does not count it again.
 */
export async function callOperation(
  app: FastifyInstance,
  cause: FastifyRequest,
  { method, target, idempotencyKey, body }: OperationRequest,
): Promise<OperationResponse> {
  const { socket } = cause.raw;
  let end = () => {};
  const dispatch: Parameters<typeof inject>[0] = (made, response) => {
    setCause(made, cause);
    // Nobody waits for the response any more, so its turn is left to others.
    end = () => {
      Object.assign(made.socket, { destroyed: true }).emit('close');
    };
    socket.once('close', end);
    app.routing(made, response as unknown as ServerResponse);
  };
  try {
    const { statusCode: status, payload } = await inject(dispatch, {
      method: method as 'GET',
      url: versionPrefix + target,
      headers: {
        accept: 'application/json',
        host: cause.headers.host ?? 'localhost',
        'x-request-id': cause.id,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      },
      remoteAddress: cause.ip,
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status, envelope: JSON.parse(payload) };
  } finally {
    socket.off('close', end);
  }
}
