import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyMemory, BodyOwner } from '@keyfront/body-memory';
import { addressKey } from '@keyfront/rate-limiter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, payloadTooLarge } from '../../lib/errors/api-error.ts';
import { SocketConnection } from '../../lib/request/socket-connection.ts';
import { BodyTurns, smallBodyBytes } from './body-turns.ts';

interface ExpectedBody {
  readonly owner: BodyOwner;
  readonly response: ServerResponse;
}

const expectedBodies = new WeakMap<IncomingMessage, ExpectedBody>();

// Created once: a flood of bodies must not cost a stack trace each.
const noRoom = new ApiError('OVERLOADED', { headers: { 'retry-after': '1' } });
const encoded = new ApiError('UNSUPPORTED_MEDIA_TYPE', {
  message: 'The body must be sent without a content-encoding',
  headers: { 'accept-encoding': 'identity' },
});

/** Says whose memory the body of a request takes, until its response is sent: that of its address, and of the wallet. */
export function setBodyOwner(request: FastifyRequest, reply: FastifyReply, wallet: string | null): void {
  const owner = { address: addressKey(request.ip), wallet };
  expectedBodies.set(request.raw, { owner, response: reply.raw });
}

/**
 * Reads bodies as they are, in place of the parsers of Fastify: a signature is over the bytes, and only a request whose signature is
 * valid is parsed. The type of a body is checked after that, too: see `requireContentType`.
 */
export function readBodies(app: FastifyInstance, memory: BodyMemory): void {
  const turns = new BodyTurns();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const { bodyLimit } = request.routeOptions;
    if (Number(request.headers['content-length']) > bodyLimit) return done(payloadTooLarge(bodyLimit));
    const expected = expectedBodies.get(request.raw);
    const owner = expected?.owner ?? { address: addressKey(request.ip), wallet: null };
    const lease = memory.lease(owner, () => finish(noRoom));
    if (expected) {
      expected.response.once('close', lease.release);
      // The client waits with its body until then. Node would have told it to send the body before anything was checked.
      if (request.headers.expect !== undefined) expected.response.writeContinue();
    }
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (error: Error | null) => {
      payload.off('data', receive).off('end', end).off('error', finish);
      if (!expected || error) lease.release();
      else lease.complete();
      if (error) return done(error);
      // Most bodies arrive in one chunk. It is copied, because it may be a part of a larger buffer.
      const passOn = () => done(null, Buffer.concat(chunks, received));
      if (received <= smallBodyBytes) return passOn();
      const connection = new SocketConnection(request.raw.socket);
      turns.take(owner.wallet ?? owner.address, received, connection).then(passOn, done);
    };
    const end = () => finish(null);
    const receive = (chunk: Buffer) => {
      received += chunk.length;
      if (received > bodyLimit) finish(payloadTooLarge(bodyLimit));
      else if (!lease.grow(chunk.length)) finish(noRoom);
      else chunks.push(chunk);
    };
    payload.on('data', receive).on('end', end).on('error', finish);
  });
}

/** Throws the 415 of a body of another type, or of one that is encoded. Only who may call the operation learns of it. */
export function requireContentType(request: FastifyRequest, contentTypes: readonly string[]): void {
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = request.headers;
  if (request.body === undefined && contentType === undefined) return;
  if (encoding !== 'identity') throw encoded;
  if (contentTypes.includes(request.mediaType ?? '')) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The body must be sent as ${contentTypes.length === 1 ? '' : 'one of '}${contentTypes.join(', ')}`,
  });
}

/** Fastify responds with a 415 to a `Content-Type` that is none, before anything else. Without the header it reads the body. */
export function hideMalformedContentType(request: FastifyRequest): void {
  const { 'content-type': contentType } = request.headers;
  if (contentType !== undefined && request.mediaType === undefined)
    request.raw.headers['content-type'] = undefined;
}

/** Lets the service check a request before its client sends the body: see `readBodies`, which asks for the body. */
export function delayContinue(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
}
