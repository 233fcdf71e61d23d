import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  KeyfrontError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';
import { readResponse } from './read-response.ts';

const baseUrl = 'https://shop.example/api/v1';

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'x-request-id': 'the-request', ...headers } });
}

function failure(
  status: number,
  message: unknown,
  data: unknown = null,
  headers?: Record<string, string>,
  code = 'A_CODE',
) {
  return json(status, { success: false, statusCode: status, code, message, data }, headers);
}

const errorOf = (response: Response) =>
  readResponse(response, baseUrl).then(
    () => expect.unreachable(),
    (error: unknown) => error as KeyfrontError,
  );

it('returns the data of a success', async () => {
  const response = json(201, { success: true, statusCode: 201, message: 'Success', data: { id: 7 } });
  expect(await readResponse(response, baseUrl)).toEqual({ id: 7 });
});

it('returns null if the data is null', async () => {
  const response = json(200, { success: true, statusCode: 200, message: 'Success', data: null });
  expect(await readResponse(response, baseUrl)).toBeNull();
});

describe('an error of the service', () => {
  it.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [405, KeyfrontError],
    [409, ConflictError],
    [413, KeyfrontError],
    [422, ConflictError],
    [429, RateLimitError],
    [500, ServerError],
    [503, ServerError],
  ])('%d', async (status, type) => {
    const error = await errorOf(failure(status, 'A sentence'));
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({ message: 'A sentence', status, code: 'A_CODE', requestId: 'the-request' });
  });

  it('links to the guide of the service that was called', async () => {
    const forbidden = await errorOf(failure(403, 'Cart is empty', null, {}, 'CART_EMPTY'));
    expect(forbidden.docsUrl).toBe('https://shop.example/docs/guides/errors#CART_EMPTY');
    const unauthorized = await errorOf(failure(401, 'Unauthorized', null, {}, 'TOKEN_INVALID'));
    expect(unauthorized.docsUrl).toBe('https://shop.example/docs/guides/signing');
  });

  it('has no link if the guides may be elsewhere', async () => {
    const page = new Response('<html></html>', { headers: { 'content-type': 'text/html' } });
    expect(await errorOf(page)).toMatchObject({ name: 'ServerError', docsUrl: null });
    expect(await errorOf(new Response(null, { status: 301 }))).toMatchObject({ status: 301, docsUrl: null });
    const cut = new Response('{"success":tr', { headers: { 'content-type': 'application/json' } });
    expect(await errorOf(cut)).toMatchObject({ name: 'ConnectionError', docsUrl: null });
  });

  it.each([undefined, null, 7])('has no code if that is %j', async (code) => {
    const response = json(403, { success: false, statusCode: 403, code, message: 'No', data: null });
    expect(await errorOf(response)).toMatchObject({
      code: null,
      docsUrl: 'https://shop.example/docs/guides/errors',
    });
  });

  it.each([
    ['in data', 'Validation failed', ['page must not be less than 1', 'take must be an integer']],
    ['in the message', ['page must not be less than 1', 'take must be an integer'], null],
  ])('has the issues of a failed validation %s', async (_where, message, data) => {
    const error = await errorOf(failure(400, message, data));
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).issues).toEqual([
      'page must not be less than 1',
      'take must be an integer',
    ]);
    expect(error.message).toBe('page must not be less than 1; take must be an integer');
  });

  it('has the message as the only issue of a request that is not HTTP', async () => {
    const error = await errorOf(failure(400, 'The request is not valid HTTP'));
    expect((error as ValidationError).issues).toEqual(['The request is not valid HTTP']);
  });

  it('has the reason for a rejected credential', async () => {
    const header = String.raw`Signature realm="keyfront", error="invalid_signature", error_description="the payload is \"{}\" \\ here"`;
    const error = await errorOf(failure(401, 'User is not authorized', null, { 'www-authenticate': header }));
    expect((error as AuthenticationError).reason).toBe(String.raw`the payload is "{}" \ here`);
    expect(error.message).toBe(String.raw`User is not authorized: the payload is "{}" \ here`);
  });

  it('has the reason of the body, where there is one', async () => {
    const reason = 'x-auth-signature is missing';
    const envelope = {
      success: false,
      statusCode: 401,
      code: 'CREDENTIALS_MISSING',
      message: 'No',
      reason,
      data: null,
    };
    const headers = { 'www-authenticate': 'Signature error_description="another"' };
    const error = await errorOf(Response.json(envelope, { status: 401, headers }));
    expect(error).toMatchObject({ reason, message: `No: ${reason}`, code: 'CREDENTIALS_MISSING' });
  });

  it('has no reason if the service gives none', async () => {
    expect(await errorOf(failure(401, 'Unauthorized'))).toMatchObject({
      reason: null,
      message: 'Unauthorized',
    });
  });

  it('has the time to wait', async () => {
    const error = await errorOf(failure(429, 'Too many requests', null, { 'retry-after': '7' }));
    expect(error.retryAfterMs).toBe(7000);
  });

  it('has a message if the response has none', async () => {
    expect(await errorOf(failure(400, null))).toMatchObject({ issues: ['The service responded with 400'] });
    expect((await errorOf(failure(500, null))).message).toBe('The service responded with 500');
  });
});

describe('a response that is not from Keyfront', () => {
  it.each([
    [503, 'text/plain', 'upstream connect error or disconnect/reset before headers'],
    [502, 'text/html', '<html>Bad gateway</html>'],
    [404, 'text/html', '<html>Not found</html>'],
    [403, 'application/json', '{"error":"blocked"}'],
    [200, 'text/html', '<html>Welcome</html>'],
    [200, 'application/json', '{"status":"ok"}'],
    [500, 'application/json', '{"success":'],
    [200, 'application/json', 'null'],
  ])('%d of %s keeps its status', async (status, type, body) => {
    const error = await errorOf(
      new Response(body, { status, headers: { 'content-type': type, 'retry-after': '2' } }),
    );
    expect(error).toBeInstanceOf(ServerError);
    expect([error.status, error.retryAfterMs]).toEqual([status, 2000]);
    expect(error.message).toContain(`The response (${status}, ${type}) does not come from Keyfront`);
    expect(error.message).not.toContain(body);
  });

  it('may have no content type', async () => {
    const error = await errorOf(new Response(null, { status: 502 }));
    expect(error.message).toContain('(502, no content type)');
  });

  it('is a connection error if a success is cut off', async () => {
    const cut = new Response('{"success":true,"da', {
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(await errorOf(cut)).toBeInstanceOf(ConnectionError);
  });

  it.each([301, 302, 307, 308])('is not followed if it is a redirect (%d)', async (status) => {
    const error = await errorOf(
      new Response(null, { status, headers: { location: 'https://evil.example' } }),
    );
    expect([error.constructor, error.status]).toEqual([KeyfrontError, status]);
    expect(error.message).toContain('correct baseUrl');
  });
});
