import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  createHarness,
  failure,
  makeKeyPair,
  makeToken,
  type SentRequest,
  success,
} from '../../test/cli-harness.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const { apiKey, secretKey } = makeKeyPair();
const withKey = { KEYFRONT_URL: baseUrl, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey };
const withToken = (role: 'holder' | 'administrator', seconds = 3600) => ({
  KEYFRONT_URL: baseUrl,
  KEYFRONT_TOKEN: makeToken({ role, exp: now.getTime() / 1000 + seconds }),
});

/** The reason of a service that has derived this address, as it stands in the header. */
const mismatchAt = (url: string) =>
  `signature does not match this request, whose signature base is: \\"@method\\": GET | \\"@target-uri\\": ${url} | \\"@signature-params\\": x`;

type Respond = (request: SentRequest) => Response;

const healthy: Respond = ({ method, target }) => {
  if (target === '/public/healthStatus') return success('Success', 200, { date: now.toUTCString() });
  if (method === 'GET') return success({ planets: [] });
  return failure(400, 'Validation failed', { data: ['clientId should not be empty'] });
};
/** A healthy service that rejects the credentials. */
const rejectWith =
  (code: string, reason: string, methods = ['GET', 'POST']): Respond =>
  (request) =>
    request.target === '/public/healthStatus' || !methods.includes(request.method)
      ? healthy(request)
      : failure(401, 'User is not authorized', { code, reason });

async function runDoctor(env: Record<string, string>, respond: Respond) {
  const harness = createHarness({ env, respond, now });
  return { ...(await harness.run('doctor')), requests: harness.requests };
}

describe('keyfront doctor', () => {
  it('reports that there is no problem, and changes nothing', async () => {
    const { code, stdout, stderr, requests } = await runDoctor(withKey, healthy);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'ok   The secret key matches the API key',
      `ok   Keyfront responds at ${baseUrl}`,
      'ok   The clock is correct',
      'ok   A signed GET is accepted',
      'ok   Bound signatures are accepted',
      'ok   A signed POST is accepted',
      'No problems found.',
      '',
    ]);
    expect(requests.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['GET', '/public/healthStatus', ''],
      ['GET', '/planets', ''],
      ['POST', '/dapp/orders', '{}'],
    ]);
    expect(requests[0]?.headers.has('x-auth-signature')).toBe(false);
  });

  it.each([
    [
      'CREDENTIALS_MISSING',
      'x-auth-apikey is missing',
      'the service does not know them, or something in front of it removes the headers signature and signature-input',
    ],
    [
      'SIGNATURE_INVALID',
      'signature does not match this request, whose signature base is: x',
      'signature does not match this request, whose signature base is: x',
    ],
    [
      'SIGNATURE_INVALID',
      mismatchAt('https://shop.example/api/v1/planets'),
      'the service takes https://shop.example/api/v1/planets for the address of the request, which was sent to',
    ],
  ])('warns if only the simple form is accepted: %s, %s', async (code, reason, cause) => {
    const { code: exitCode, stdout } = await runDoctor(withKey, (request) =>
      request.headers.has('signature-input') ? rejectWith(code, reason)(request) : healthy(request),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ok   A signed GET is accepted\nwarn Only simple signatures are accepted');
    expect(stdout).toContain(cause);
    expect(stdout).toMatch(/\nNo errors found, but 1 warning\.\n$/);
  });

  it('fails if the clock is too wrong for the bound form, which the service understands', async () => {
    const reason =
      'created is 400 seconds before the time of the service, which is 1: at most 300 are accepted';
    const { code, stderr } = await runDoctor(withKey, (request) =>
      request.headers.has('signature-input')
        ? rejectWith('SIGNATURE_INVALID', reason)(request)
        : healthy(request),
    );
    expect(code).toBe(3);
    expect(stderr).toBe(
      'error: The clock of this machine is 400 seconds behind that of the service: synchronize it, for example with NTP.\n',
    );
  });

  it.each([
    ['holder', '/dapp/orders'],
    ['administrator', '/admin/strains'],
  ] as const)('sends a POST that a token of this role is allowed to send: %s', async (role, path) => {
    const { code, requests } = await runDoctor(withToken(role), healthy);
    expect([code, requests.at(-1)?.target]).toEqual([0, path]);
  });

  it('accepts a key whose scopes allow none of its requests: the service has verified the signature', async () => {
    const lacksScopes: Respond = (request) =>
      request.target === '/public/healthStatus'
        ? healthy(request)
        : failure(403, 'The API key lacks the scope planets:read', { code: 'SCOPE_MISSING' });
    const { code, stdout } = await runDoctor(withKey, lacksScopes);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No problems found.')]);
    for (const method of ['GET', 'POST']) {
      expect(stdout).toContain(
        `ok   The signature of a ${method} is accepted, but the key may not send this one: The API key lacks the scope planets:read\n`,
      );
    }
  });

  it.each([
    [
      'a wrong clock',
      'created is 900 seconds after the time of the service, which is 1: at most 300 are accepted',
      'The clock of this machine is 900 seconds ahead of that of the service: synchronize it, for example with NTP.',
    ],
    [
      'another address than PUBLIC_URL',
      mismatchAt('https://shop.example/api/v1/planets'),
      `The service takes https://shop.example/api/v1/planets for the address of the request, which was sent to ${baseUrl}/planets. Call the service at the former, or let its operator set PUBLIC_URL to the address that callers use.`,
    ],
    [
      'a change on the way',
      mismatchAt(`${baseUrl}/planets`),
      'Something in front of the service changes the request, so that its signature no longer matches: ',
    ],
  ])('finds the cause if no signature is accepted: %s', async (_what, reason, message) => {
    const { code, stderr } = await runDoctor(withKey, rejectWith('SIGNATURE_INVALID', reason));
    expect([code, stderr]).toEqual([3, expect.stringContaining(`error: ${message}`)]);
  });

  it('reports a secret key of another pair before it sends anything', async () => {
    const { code, stderr, requests } = await runDoctor(
      { ...withKey, KEYFRONT_SECRET_KEY: makeKeyPair().secretKey },
      healthy,
    );
    expect([code, requests]).toEqual([3, []]);
    expect(stderr).toMatch(/^error: The secret key does not match the API key\. Log in again.+\.\n$/);
  });

  const unreachable = () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  };
  const html = () => new Response('<html></html>', { status: 200, headers: { 'content-type': 'text/html' } });
  const withHealth: (health: Response) => Respond = (health) => (request) =>
    request.target === '/public/healthStatus' ? health : healthy(request);

  it.each([
    ['a service that is down', withKey, unreachable, 5, /^error: Cannot reach .+ECONNREFUSED\)\. Check that/],
    [
      'a Keyfront service under another path',
      withKey,
      withHealth(failure(404, 'Cannot GET')),
      5,
      /is not a Keyfront service \(status 404\)/,
    ],
    [
      'another service',
      withKey,
      withHealth(new Response('Not found', { status: 404 })),
      5,
      /is not a Keyfront service/,
    ],
    ['a web page', withKey, html, 5, /is not a Keyfront service/],
    [
      'a redirect',
      withKey,
      withHealth(new Response(null, { status: 301 })),
      5,
      /is not a Keyfront service \(status 301\)/,
    ],
    ['another health check', withKey, withHealth(success('Welcome')), 5, /is not a Keyfront service/],
    [
      'a proxy whose service is down',
      withKey,
      withHealth(new Response('upstream', { status: 502 })),
      5,
      /responds with 502: the service or its database is down/,
    ],
    [
      'an unknown or revoked key',
      withKey,
      rejectWith('API_KEY_UNKNOWN', 'its key is not known here or was revoked'),
      3,
      /does not know this API key, or the key was revoked/,
    ],
    [
      'a proxy that removes the headers of a key',
      withKey,
      rejectWith('CREDENTIALS_MISSING', 'x-auth-apikey is missing; x-auth-signature is missing'),
      3,
      /removes the x-auth-apikey and x-auth-signature headers/,
    ],
    [
      'a proxy that removes the token',
      withToken('holder'),
      rejectWith('CREDENTIALS_MISSING', 'x-auth-apikey is missing'),
      3,
      /removes the authorization header/,
    ],
    [
      'a changed request',
      withKey,
      rejectWith('SIGNATURE_INVALID', 'x-auth-signature does not match the payload of this request: {}'),
      3,
      /changes the request/,
    ],
    [
      'a changed body',
      withKey,
      rejectWith('SIGNATURE_INVALID', 'does not match', ['POST']),
      3,
      /accepts a GET but rejects a POST/,
    ],
    [
      'another rejection',
      withKey,
      rejectWith('OTHER', 'for a reason'),
      3,
      /rejects the signature: for a reason/,
    ],
    [
      'a rejected token',
      withToken('holder'),
      rejectWith('TOKEN_INVALID', 'for a reason'),
      3,
      /rejects the token: for a reason/,
    ],
    [
      'an expired token',
      withToken('holder', -1),
      healthy,
      3,
      /The token expired at 2026-11-15T09:29:59.000Z/,
    ],
    [
      'a token of another service',
      { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: 'x' },
      healthy,
      3,
      /The token is not a Keyfront token/,
    ],
    ['a rate limit', withKey, withHealth(failure(429, 'Too many requests')), 5, /Wait a minute/],
    [
      'a POST that is accepted without its fields',
      withKey,
      (request: SentRequest) => (request.method === 'POST' ? success({}) : healthy(request)),
      1,
      /accepted a POST without its required fields/,
    ],
  ] as const)('reports %s', async (_what, env, respond, expected, message) => {
    const { code, stdout, stderr } = await runDoctor(env, respond);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect([code, stdout]).toEqual([expected, expect.not.stringContaining('No problems found')]);
  });

  it.each([
    [-3600, 'ahead of'],
    [3600, 'behind'],
  ])('reports a clock that is off by an hour, which matters for tokens: %i s', async (seconds, direction) => {
    const date = new Date(now.getTime() + seconds * 1000).toUTCString();
    const respond = withHealth(success('Success', 200, { date }));
    const token = await runDoctor(withToken('holder', 86_400), respond);
    expect([token.code, token.stderr]).toEqual([
      1,
      expect.stringMatching(
        `^error: The clock of this machine is 60 minutes ${direction} the service, so tokens`,
      ),
    ]);
    const key = await runDoctor(withKey, withHealth(success('Success', 200, { date })));
    expect(key.code).toBe(0);
    expect(key.stdout).toContain(
      `warn The clock of this machine is 60 minutes ${direction} the service. Bound signatures need the correct time, within five minutes.\n`,
    );
  });

  it('shows no secret', async () => {
    const { stdout, stderr } = await runDoctor({ ...withKey, DEBUG: '1' }, rejectWith('OTHER', 'x'));
    expect(stderr).toContain('explain-rejection');
    for (const line of [secretKey, ...Buffer.from(secretKey, 'base64').toString().split('\n').slice(1, -2)]) {
      expect(stdout + stderr).not.toContain(line);
    }
  });

  it('shows its requests with --verbose', async () => {
    const { stderr } = await createHarness({ env: withKey, respond: healthy, now }).run('doctor', '-v');
    expect(stderr).toContain(`> GET ${baseUrl}/public/healthStatus\n`);
    expect(stderr).toContain(`> POST ${baseUrl}/dapp/orders\n`);
  });
});
