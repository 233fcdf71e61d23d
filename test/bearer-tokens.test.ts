import { createHmac, randomUUID } from 'node:crypto';
import { failure } from '@keyfront/protocol';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokens } from '../packages/server/src/auth/tokens.ts';
import { readSessionId } from './support/begin-session.ts';
import { curl } from './support/curl.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { testSecret } from './support/test-app.ts';
import { testOperation } from './support/test-operation.ts';

let service: GuardedApp;
let token: string;
beforeAll(async () => {
  const administration = testOperation({
    method: 'GET',
    path: '/test/administration',
    access: 'administrator',
    id: 'administration',
    response: Type.String(),
  });
  service = await startGuardedApp((router) => router.add(administration, () => 'administered'));
  token = await service.signIn(service.ada);
});
afterAll(() => service.close());

/** A token by hand, not by the library that reads it. */
function forge(header: object, claims: object, secret = testSecret): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The last character of a signature has two bits that count for nothing. */
const respell = (jwt: string) => jwt.slice(0, -1) + base64url[base64url.indexOf(jwt.slice(-1)) + 1];

const now = Math.floor(Date.now() / 1000);
const claims = () => ({
  sub: service.ada.address.toLowerCase(),
  role: 'holder',
  jti: readSessionId(token),
  iss: 'keyfront',
  aud: 'keyfront-api',
  iat: now,
  nbf: now,
  exp: now + 3600,
});
const header = { alg: 'HS256', typ: 'JWT' };

describe('a bearer token', () => {
  it('is accepted on routes for signatures and on routes for tokens', async () => {
    expect((await service.call(token, 'GET', '/dapp/users/me')).status).toBe(200);
    expect((await service.call(token, 'GET', '/planets')).status).toBe(200);
    expect((await service.call(forge(header, claims()), 'GET', '/dapp/users/me')).status).toBe(200);
  });

  it.each([
    ['without a signature', () => `${forge({ alg: 'none' }, claims()).split('.').slice(0, 2).join('.')}.`],
    ['signed by nobody', () => forge({ ...header, alg: 'none' }, claims())],
    ['of another algorithm', () => forge({ ...header, alg: 'HS512' }, claims())],
    ['of an asymmetric algorithm', () => forge({ ...header, alg: 'RS256' }, claims())],
    ['signed with another secret', () => forge(header, claims(), 'another secret of the same length here')],
    ['that has expired', () => forge(header, { ...claims(), exp: now - 60 })],
    ['that is not valid yet', () => forge(header, { ...claims(), nbf: now + 600 })],
    ['that never expires', () => forge(header, { ...claims(), exp: undefined })],
    ['of another issuer', () => forge(header, { ...claims(), iss: 'somebody' })],
    ['for another audience', () => forge(header, { ...claims(), aud: 'somebody' })],
    ['with another role', () => forge(header, { ...claims(), role: 'owner' })],
    ['that was changed', () => token.replace(/\.[^.]+\./, `.${Buffer.from('{}').toString('base64url')}.`)],
    ['of no session', () => forge(header, { ...claims(), jti: undefined })],
    ['of a session that never was', () => forge(header, { ...claims(), jti: randomUUID() })],
    ['with padding', () => `${token}=`],
    ['with another spelling of its signature', () => respell(token)],
    ['that is none', () => 'nonsense'],
  ])('%s is refused with the text of the route', async (_what, make) => {
    const onTokenRoute = await service.call(make(), 'GET', '/keys');
    expect(onTokenRoute.json).toEqual({
      ...failure('TOKEN_INVALID'),
      reason: expect.stringMatching(/^the (token|claim|session) /),
    });
    expect(onTokenRoute.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="keyfront", error="invalid_token", error_description="the (token|claim|session) /,
    );
    expect((await service.call(make(), 'GET', '/planets')).json).toMatchObject({
      message: 'User is not authorized',
    });
  });

  it('is named in the response when it is missing', async () => {
    const missing = await curl(`${service.base}/keys`);
    expect(missing.headers.get('www-authenticate')).toContain('the authorization header is missing');
    const basic = await curl('--user', 'a:b', `${service.base}/keys`);
    expect(basic.headers.get('www-authenticate')).toContain('must have the form Bearer');
  });

  it('that was signed with the previous secret is still valid', async () => {
    const rotated = createTokens({
      secret: 'the new secret, long enough as well',
      previousSecret: testSecret,
    });
    expect(await rotated.verify(token)).toMatchObject({ ok: true });
    const forgotten = createTokens({ secret: 'the new secret, long enough as well', previousSecret: null });
    expect(await forgotten.verify(token)).toMatchObject({ ok: false });
  });
});

describe('a route for administrators', () => {
  it('accepts an administrator, rejects a holder with 403 and everyone else with 401', async () => {
    const admin = await service.signIn(service.admin, 'admin');
    expect((await service.call(admin, 'GET', '/test/administration')).status).toBe(200);
    expect((await service.call(token, 'GET', '/test/administration')).json).toMatchObject({
      statusCode: 403,
      message: 'This is for administrators',
    });
    expect((await curl(`${service.base}/test/administration`)).json).toMatchObject({
      statusCode: 401,
      message: 'Unauthorized',
    });
    const former = forge(header, { ...claims(), role: 'administrator' });
    expect((await service.call(former, 'GET', '/test/administration')).status).toBe(401);
  });

  it('of a wallet that no longer owns a digital key is 403', async () => {
    const stranger = forge(header, { ...claims(), sub: `0x${'9'.repeat(40)}` });
    expect((await service.call(stranger, 'GET', '/planets')).json).toMatchObject({
      statusCode: 403,
      message: 'The wallet owns no digital key',
    });
  });
});
