import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure } from '@keyfront/protocol';
import { ApiError } from '../lib/errors/api-error.ts';
import { hasBody } from '../lib/request/has-body.ts';
import type { FixedHeaders } from './fixed-headers.ts';

/** How long a connection is read after its last response, so that a client that is still sending gets to read it. */
const lingerMs = 1_000;

/** Connections with an error. Node reports another error for each chunk that arrives after the first one. */
const failed = new WeakSet<Socket>();

/**
 * Responds to what never became a request: headers that are too large, a client that is too slow, bytes that are not
 * HTTP. There is no reply object yet, so the response is written to the socket.
 */
export function sendConnectionError(
  headers: FixedHeaders,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (failed.has(socket)) return;
  failed.add(socket);
  respondLast(headers, error, socket);
}

/** Responds when all earlier requests of the connection have their responses. */
function respondLast(headers: FixedHeaders, error: Error & { code?: string }, socket: Socket): void {
  const response = responseInProgress(socket);
  const isOfLaterRequest = response?.req.complete === true;
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (response && isOfLaterRequest) response.once('close', () => respondLast(headers, error, socket));
  // A second status line must not follow a part of a response.
  else if (response?.headersSent) socket.destroy();
  else endConnection(socket, formatResponse(headers, toApiError(error.code)));
}

/** Node keeps it in a private field, which its own handler of these errors reads too. */
function responseInProgress(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | null {
  return socket._httpMessage ?? null;
}

/**
 * Writes a last response and destroys the connection, also if the client keeps its side open. Destroying it at once would
 * reset a connection with unread bytes, and the client would lose the response.
 */
function endConnection(socket: Duplex, response: string): void {
  socket.end(response);
  socket.resume();
  destroyAfterLinger(socket);
}

function destroyAfterLinger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Makes a response the last one of its connection if the body of its request is still arriving. Otherwise the service would
 * read and discard the rest of a body that it has refused, for as long as the request may take.
 */
export function closeAfterEarlyResponse(response: ServerResponse): void {
  const { req: request } = response;
  // A request without a body is not complete yet while its handler runs synchronously.
  if (request.complete || !hasBody(request)) return;
  response.shouldKeepAlive = false;
  // Node calls it after the last response. It would reset a connection with unread bytes.
  request.socket.destroySoon = () => {
    request.socket.end();
    destroyAfterLinger(request.socket);
  };
}

function toApiError(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT');
    default:
      return new ApiError('MALFORMED_REQUEST');
  }
}

function formatResponse(fixedHeaders: FixedHeaders, error: ApiError): string {
  const { headers, body } = createResponse(fixedHeaders, error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function createResponse(
  fixedHeaders: FixedHeaders,
  error: ApiError,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(failure(error.code, error.message));
  const headers = {
    ...fixedHeaders,
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  return { headers, body };
}

const tooManyConnections = new ApiError('RATE_LIMITED', {
  message: 'Too many connections from this address',
  headers: { 'retry-after': '1' },
});

/** Refuses a connection. Nothing is read from it: lingering would keep the connections that are to be got rid of. */
export function refuseConnection(headers: FixedHeaders, socket: Socket): void {
  socket.write(formatResponse(headers, tooManyConnections));
  socket.destroySoon();
}

/** Rejects an `Expect` header other than 100-continue. Node itself would respond without a body. */
export function rejectExpectation(
  fixedHeaders: FixedHeaders,
  _request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = new ApiError('EXPECTATION_FAILED');
  const { headers, body } = createResponse(fixedHeaders, error);
  response.writeHead(error.status, headers).end(body);
}

/** Rejects CONNECT, which is for proxies. Node itself would close the connection without a response. */
export function rejectConnect(fixedHeaders: FixedHeaders, _request: IncomingMessage, socket: Duplex): void {
  const headers = { allow: 'GET, HEAD, POST, PATCH, DELETE' };
  const error = new ApiError('METHOD_NOT_ALLOWED', { message: 'This service is not a proxy', headers });
  endConnection(socket, formatResponse(fixedHeaders, error));
}
