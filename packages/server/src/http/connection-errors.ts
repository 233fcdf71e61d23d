import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure } from '@keyfront/protocol';
import { ApiError } from '../api-error.ts';
import { fixedHeaders } from './fixed-headers.ts';

/**
 * Answers what never became a request: headers too large, a client too slow, bytes that are not HTTP. There is no
 * reply object yet, so the envelope is written to the socket by hand.
 */
export function sendConnectionError(error: Error & { code?: string }, socket: Socket): void {
  // A caller who has gone cannot be answered; one who has been answered in part must not get a second status line.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(brokenConnectionError(error.code)));
}

function brokenConnectionError(code: string | undefined): ApiError {
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

function rawAnswer(error: ApiError): string {
  const { headers, body } = describeAnswer(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function describeAnswer(error: ApiError): { headers: Record<string, string>; body: string } {
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

/** Answers an `Expect` header other than 100-continue, which Node would refuse without a body. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const error = new ApiError('EXPECTATION_FAILED');
  const { headers, body } = describeAnswer(error);
  response.writeHead(error.status, headers).end(body);
}

/** Answers CONNECT, which is for proxies: Node would hang up without a word. */
export function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  const headers = { allow: 'GET, HEAD, POST, PATCH, DELETE' };
  socket.end(rawAnswer(new ApiError('METHOD_NOT_ALLOWED', { message: 'This is no proxy', headers })));
}
