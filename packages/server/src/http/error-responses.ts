import { FileStoreUnavailable } from '@keyfront/file-store';
import { DatabaseUnavailable } from '@keyfront/postgres';
import { failure } from '@keyfront/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../lib/errors/api-error.ts';
import { errorCode } from '../lib/errors/error-code.ts';
import { shorten } from '../lib/errors/shorten.ts';
import { ClientDisconnected } from '../lib/request/client-connection.ts';
import type { FixedHeaders } from './fixed-headers.ts';

/** A message may quote the path of the request. */
const maximumMessageLength = 500;

/** Seconds after which a caller should retry while the database or the file store is unavailable. */
const retryAfterSeconds = '2';

/** For a client that has disconnected; nobody reads it. Created once, because many clients disconnect together. */
const clientDisconnected = new ApiError('MALFORMED_REQUEST');

const invalidUrl = 'The URL is not valid: characters that the URL standard encodes must be percent-encoded';

/** Converts whatever was thrown into an error that reveals no internals. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ClientDisconnected) return clientDisconnected;
  if (error instanceof DatabaseUnavailable || error instanceof FileStoreUnavailable) {
    return new ApiError('UNAVAILABLE', { headers: { 'retry-after': retryAfterSeconds }, cause: error });
  }
  switch (errorCode(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('PAYLOAD_TOO_LARGE');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new ApiError('MALFORMED_REQUEST');
    case 'FST_ERR_BAD_URL':
      return new ApiError('MALFORMED_REQUEST', { message: invalidUrl });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('ROUTE_NOT_FOUND');
    default:
      return new ApiError('INTERNAL_ERROR', { cause: error });
  }
}

/** Whether an operator should investigate. An overload is visible in the log line of each request, of which there are many. */
function isFault({ status, code }: ApiError): boolean {
  return status >= 500 && code !== 'OVERLOADED';
}

/** Sends an error as the response. All errors of requests pass through here. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = toApiError(error);
  const { code, message, issues, reason } = apiError;
  if (isFault(apiError))
    request.log.error({ reqId: request.id, err: apiError.cause ?? apiError }, apiError.message);
  else request.log.debug({ reqId: request.id, code: apiError.code }, apiError.message);
  // The client has not sent its body and may never do so: the connection cannot be used again.
  if (request.headers.expect !== undefined) void reply.header('connection', 'close');
  void reply
    .code(apiError.status)
    .headers(apiError.headers)
    .serializer(JSON.stringify)
    .type('application/json; charset=utf-8')
    .send(failure(code, shorten(message, maximumMessageLength), issues, reason));
}

/** For errors that occur before any hook has run, such as a URL that cannot be decoded. */
export function sendFrameworkError(
  headers: FixedHeaders,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.headers(headers).header('x-request-id', request.id);
  sendError(error, request, reply);
}
