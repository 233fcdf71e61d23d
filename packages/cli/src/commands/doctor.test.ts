import { describe, expect, it } from 'vitest';
import {
  address,
  failure,
  makePair,
  makeToken,
  openWorld,
  type SentRequest,
  success,
} from '../../test/world.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const { apiKey, secretKey } = makePair();
const ofKey = { KEYFRONT_URL: address, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey };
const tokenOf = (role: 'holder' | 'administrator', seconds = 3600) => ({
  KEYFRONT_URL: address,
  KEYFRONT_TOKEN: makeToken({ role, exp: now.getTime() / 1000 + seconds }),
});

type Answer = (request: SentRequest) => Response;

const healthy: Answer = ({ method, target }) => {
  if (target === '/public/healthStatus') return success('Success', 200, { date: now.toUTCString() });
  if (method === 'GET') return success({ planets: [] });
  return failure(400, 'Validation failed', { data: ['clientId should not be empty'] });
};
/** Healthy but for requests that carry credentials. */
const refusing =
  (reason: string, which = ['GET', 'POST']): Answer =>
  (request) =>
    request.target === '/public/healthStatus' || !which.includes(request.method)
      ? healthy(request)
      : failure(401, 'User is not authorized', { reason });

async function diagnose(env: Record<string, string>, answer: Answer) {
  const world = openWorld({ env, answer, now });
  return { ...(await world.run('doctor')), requests: world.requests };
}

describe('keyfront doctor', () => {
  it('finds nothing where all is well, and changes nothing', async () => {
    const { code, stdout, stderr, requests } = await diagnose(ofKey, healthy);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'ok   The API key and the secret key are a pair',
      `ok   A Keyfront answers at ${address}`,
      'ok   The clock is right',
      'ok   A signed GET is accepted',
      'ok   A signed POST is accepted',
      'All is well',
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
    ['holder', '/dapp/orders'],
    ['administrator', '/admin/strains'],
  ] as const)('tries what a token of this role may: %s', async (role, path) => {
    const { code, requests } = await diagnose(tokenOf(role), healthy);
    expect([code, requests.at(-1)?.target]).toEqual([0, path]);
  });

  it('names a secret of another pair before it asks anybody', async () => {
    const { code, stderr, requests } = await diagnose(
      { ...ofKey, KEYFRONT_SECRET_KEY: makePair().secretKey },
      healthy,
    );
    expect([code, requests]).toEqual([3, []]);
    expect(stderr).toMatch(
      /^error: The secret key does not belong to the API key.+: take both from the same pair.+\n$/,
    );
  });

  const down = () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  };
  const html = () => new Response('<html></html>', { status: 200, headers: { 'content-type': 'text/html' } });
  const isHealth: (answer: Response) => Answer = (answer) => (request) =>
    request.target === '/public/healthStatus' ? answer : healthy(request);

  it.each([
    [
      'a server that is down',
      ofKey,
      down,
      5,
      /^error: The server is down or cannot be reached: .+ECONNREFUSED; start it/,
    ],
    [
      'a 404 of a Keyfront',
      ofKey,
      isHealth(failure(404, 'Cannot GET')),
      5,
      /base address is wrong.+answers with 404/,
    ],
    [
      'a 404 of another server',
      ofKey,
      isHealth(new Response('Not found', { status: 404 })),
      5,
      /base address is wrong/,
    ],
    ['a page', ofKey, html, 5, /base address is wrong/],
    [
      'a redirect',
      ofKey,
      isHealth(new Response(null, { status: 301 })),
      5,
      /base address is wrong.+answers with 301/,
    ],
    ['another service', ofKey, isHealth(success('Welcome')), 5, /base address is wrong/],
    [
      'a proxy without a service',
      ofKey,
      isHealth(new Response('upstream', { status: 502 })),
      5,
      /answers .+ with 502/,
    ],
    [
      'a key that is unknown or revoked',
      ofKey,
      refusing('its key is not known here or was revoked'),
      3,
      /unknown at this service, or was revoked \(it does not say which, on purpose\)/,
    ],
    [
      'a proxy that takes headers out',
      ofKey,
      refusing('x-auth-apikey is missing; x-auth-signature is missing'),
      3,
      /takes the headers x-auth-apikey and x-auth-signature out/,
    ],
    [
      'a proxy that takes the token out',
      tokenOf('holder'),
      refusing('x-auth-apikey is missing'),
      3,
      /takes the header authorization out/,
    ],
    [
      'a request that is changed on the way',
      ofKey,
      refusing('x-auth-signature does not match the payload of this request: {}'),
      3,
      /changes the request/,
    ],
    [
      'a body that is changed on the way',
      ofKey,
      refusing('does not match', ['POST']),
      3,
      /A GET is accepted and a POST is not/,
    ],
    ['another reason', ofKey, refusing('who knows'), 3, /The signature is refused: who knows/],
    ['a refused token', tokenOf('holder'), refusing('who knows'), 3, /The token is refused: who knows/],
    [
      'a token that has expired',
      tokenOf('holder', -1),
      healthy,
      3,
      /The token has expired at 2026-11-15T09:29:59.000Z/,
    ],
    [
      'a token that is none',
      { KEYFRONT_URL: address, KEYFRONT_TOKEN: 'x' },
      healthy,
      3,
      /The token is none of a Keyfront/,
    ],
    ['too many requests', ofKey, isHealth(failure(429, 'Too many requests')), 5, /wait a minute/],
    [
      'a POST that nobody should accept',
      ofKey,
      (request: SentRequest) => (request.method === 'POST' ? success({}) : healthy(request)),
      1,
      /which a Keyfront never does/,
    ],
  ] as const)('names %s', async (_what, env, answer, expected, sentence) => {
    const { code, stdout, stderr } = await diagnose(env, answer);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect([code, stdout]).toEqual([expected, expect.not.stringContaining('All is well')]);
  });

  it.each([
    [-3600, 'ahead'],
    [3600, 'behind'],
  ])('names a clock that is off by an hour, which only tokens mind: %i s', async (seconds, direction) => {
    const date = new Date(now.getTime() + seconds * 1000).toUTCString();
    const answer: Answer = (request) =>
      request.target === '/public/healthStatus' ? success('Success', 200, { date }) : healthy(request);
    const token = await diagnose(tokenOf('holder', 86_400), answer);
    expect([token.code, token.stderr]).toEqual([
      1,
      expect.stringMatching(
        `^error: The clock of this machine is 60 minutes ${direction} of that of the service`,
      ),
    ]);
    const key = await diagnose(ofKey, answer);
    expect(key.code).toBe(0);
    expect(key.stdout).toContain(
      `note The clock of this machine is 60 minutes ${direction}, which signed requests`,
    );
  });

  it('shows no secret whatever it finds', async () => {
    const { stdout, stderr } = await diagnose({ ...ofKey, DEBUG: '1' }, refusing('who knows'));
    expect(stderr).toContain('explain-refusal');
    for (const line of [secretKey, ...Buffer.from(secretKey, 'base64').toString().split('\n').slice(1, -2)]) {
      expect(stdout + stderr).not.toContain(line);
    }
  });
});
