import { MemoryCounter } from '@keyfront/rate-limiter';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../packages/server/src/limits/rates/rate-limits.ts';
import { securityEvents } from '../packages/server/src/observability/security-event.ts';
import { curl } from './support/curl.ts';
import { type GuardedApp, readData, startGuardedApp } from './support/guarded-app.ts';
import { readCode, readDocument, readTables } from './support/guide-programs.ts';
import { makeOpensslKey, signWithOpenssl } from './support/openssl.ts';
import { sampleLimits } from './support/sample-limits.ts';
import { scaled } from './support/scale.ts';
import { runSql } from './support/test-database.ts';

let service: GuardedApp;
let keyId: string;
beforeAll(async () => {
  service = await startGuardedApp();
  const [row] = await runSql<{ id: string }>(service.ownerUrl, 'SELECT id FROM keyfront.api_keys');
  keyId = row?.id ?? '';
});
afterAll(() => service.close());
beforeEach(() => {
  service.logLines.length = 0;
});

const wallet = (account: { address: string }) => account.address.toLowerCase();
const readLines = () => service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
const events = () =>
  readLines()
    .filter(({ event }) => event !== undefined)
    .map(({ level: _level, time: _time, pid: _pid, reqId: _id, ...event }) => event);
const requestLines = () => readLines().filter(({ msg }) => msg === 'request');
const askSigned = (path: string, key = service.key, payload = '{}') =>
  curl(
    ...['--header', `x-auth-apikey: ${key.apiKey}`],
    ...['--header', `x-auth-signature: ${signWithOpenssl(key, payload)}`],
    service.base + path,
  );
const base = { address: '127.0.0.1', msg: 'security' };

describe('the request line', () => {
  it('names the API key or the wallet, and the address', async () => {
    await askSigned('/planets');
    await service.call(await service.signIn(service.ada), 'GET', '/keys');
    expect(requestLines().at(0)).toMatchObject({ status: 200, address: '127.0.0.1', caller: keyId });
    expect(requestLines().at(-1)).toMatchObject({ address: '127.0.0.1', caller: wallet(service.ada) });
  });

  it('has the address of a caller behind a proxy only if it is one', async () => {
    // Without a trusted proxy the header does not count; a forged one never reaches the line.
    await curl('--header', 'x-forwarded-for: 1","event":"forged', `${service.base}/planets`);
    expect(service.logLines.join('')).not.toContain('forged');
    expect(requestLines().at(0)).toMatchObject({ address: '127.0.0.1', caller: '' });
  });
});

describe('the security log', () => {
  it('records each 401 with the reason', async () => {
    const unknown = makeOpensslKey(service.folder, 'unknown');
    await curl(`${service.base}/planets`);
    await askSigned('/planets', service.key, 'something else');
    await askSigned('/planets', unknown);
    await service.call('not.a.token', 'GET', '/keys');
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
    const failed = { ...base, event: 'auth.failed', method: 'GET' };
    expect(events()).toEqual([
      { ...failed, route: '/api/v1/planets', code: 'CREDENTIALS_MISSING' },
      { ...failed, route: '/api/v1/planets', code: 'SIGNATURE_INVALID', keyFingerprint: fingerprint },
      { ...failed, route: '/api/v1/planets', code: 'API_KEY_UNKNOWN', keyFingerprint: fingerprint },
      { ...failed, route: '/api/v1/keys', code: 'TOKEN_INVALID' },
    ]);
  });

  it('records each 403 with who was denied', async () => {
    const ben = await service.signIn(service.ben);
    service.logLines.length = 0;
    await service.call(ben, 'GET', '/admin/clients');
    await service.call(ben, 'DELETE', `/keys/${keyId}`);
    expect(events()).toEqual([
      {
        ...base,
        event: 'access.denied',
        method: 'GET',
        route: '/api/v1/admin/clients',
        wallet: wallet(service.ben),
        code: 'ADMINISTRATOR_REQUIRED',
      },
      {
        ...base,
        event: 'access.denied',
        method: 'DELETE',
        route: '/api/v1/keys/:id',
        wallet: wallet(service.ben),
        code: 'NOT_OWNED',
      },
    ]);
  });

  it('records what a caller was denied, and every invalid credential, however many there are at the address', async () => {
    const counter = new MemoryCounter({ now: () => 0 });
    const limits = createRateLimits({ counter, enabled: true, policies: sampleLimits });
    const flooded = await startGuardedApp(undefined, limits);
    const statuses: number[] = [];
    const send = async (headers: Record<string, string> = {}) => {
      statuses.push((await flooded.app.inject({ url: '/api/v1/admin/clients', headers })).statusCode);
    };
    for (let count = 0; count < 40; count++) await send();
    const token = await flooded.beginSession(flooded.ben);
    for (let count = 0; count < 10; count++) await send({ authorization: `Bearer ${token}` });
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(10).fill(429), ...Array(10).fill(403)]);
    await flooded.close();
    const logged = flooded.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const named = (name: string) => logged.filter(({ event }) => event === name);
    expect(named('access.denied')).toHaveLength(10);
    const omitted = named('security.omitted').map(({ count }) => count);
    expect([named('auth.failed').length, omitted]).toEqual([30, [10]]);
  });

  it('records a wallet without a digital key', async () => {
    const stranger = service.admin;
    const token = await service.beginSession(stranger);
    await service.call(token, 'GET', '/keys');
    expect(events()).toMatchObject([
      { event: 'access.denied', code: 'DIGITAL_KEY_REQUIRED', wallet: wallet(stranger) },
    ]);
  });

  it('records sign-ins, and failed ones with the wallet that was claimed', async () => {
    await service.signIn(service.ada);
    const json = ['--header', 'content-type: application/json', '--data-binary'];
    const nonce = await curl(
      ...json,
      JSON.stringify({ walletAddress: service.ada.address }),
      `${service.base}/auth/nonce`,
    );
    const { message } = readData<{ message: string }>(nonce);
    const signature = await service.ben.signMessage({ message });
    await curl(...json, JSON.stringify({ message, signature }), `${service.base}/auth/signIn`);
    const common = { ...base, method: 'POST', route: '/api/v1/auth/signIn' };
    expect(events()).toEqual([
      { ...common, event: 'sign_in.succeeded', wallet: wallet(service.ada) },
      { ...common, event: 'auth.failed', code: 'SIGN_IN_FAILED', claimedWallet: wallet(service.ada) },
    ]);
  });

  it('records changes of API keys, and a repeated request once', async () => {
    const token = await service.signIn(service.ada);
    service.logLines.length = 0;
    const create = () =>
      curl(
        ...['--oauth2-bearer', token, '--header', 'content-type: application/json'],
        ...['--header', 'idempotency-key: once', '--data-binary', '{"keyName":"Recorded"}'],
        `${service.base}/keys`,
      );
    const { id, secretKey } = readData<{ id: string; secretKey: string }>(await create());
    expect(readData(await create())).toMatchObject({ id });
    await service.call(token, 'PATCH', `/keys/${id}`, { keyName: 'Renamed' });
    await service.call(token, 'DELETE', `/keys/${id}`);
    const common = { ...base, wallet: wallet(service.ada), subject: id };
    expect(events()).toEqual([
      { ...common, event: 'key.created', method: 'POST', route: '/api/v1/keys' },
      { ...common, event: 'key.changed', method: 'PATCH', route: '/api/v1/keys/:id' },
      { ...common, event: 'key.revoked', method: 'DELETE', route: '/api/v1/keys/:id' },
    ]);
    expect(service.logLines.join('')).not.toContain(secretKey.slice(0, 40));
    expect(service.logLines.join('')).not.toContain('Renamed');
  });

  it('records what administrators change, not what they read', async () => {
    const token = await service.signIn(service.admin, 'admin');
    service.logLines.length = 0;
    await service.call(token, 'GET', '/admin/clients');
    const planet = readData<{ id: string }>(
      await service.call(token, 'POST', '/admin/planets', { number: 77, name: 'Logged' }),
    );
    await service.call(token, 'PATCH', `/admin/planets/${planet.id}`, { name: 'Logged again' });
    const acted = { ...base, event: 'admin.acted', wallet: wallet(service.admin), subject: planet.id };
    expect(events()).toEqual([
      { ...acted, method: 'POST', route: '/api/v1/admin/planets' },
      { ...acted, method: 'PATCH', route: expect.stringMatching(/^\/api\/v1\/admin\/planets\/:\w+$/) },
    ]);
    expect(service.logLines.join('')).not.toContain('Logged');
  });

  it('has the events of the documentation for operators', () => {
    const [rows = []] = readTables(readDocument('docs/operating/logs.md'), 'Security log');
    const documented = rows.map(([event = '', level = '']) => [...readCode(event), ...readCode(level)]);
    expect(documented).toEqual(Object.entries(securityEvents));
  });

  it('contains no e-mail address and nothing else that a caller sends', { timeout: 120_000 }, async () => {
    const token = await service.signIn(service.ben);
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/).map((text) => `s3cr3t${text}`);
    const place = fc.constantFrom(
      'apikey',
      'signature',
      'bearer',
      'cookie',
      'agent',
      'query',
      'path',
      'body',
      'forwarded',
    );
    const route = fc.constantFrom(
      '/keys',
      '/dapp/clients',
      '/auth/signIn',
      '/admin/planets',
      '/orders/export',
      '/nowhere',
    );
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE');
    await fc.assert(
      fc.asyncProperty(
        secret,
        place,
        route,
        method,
        fc.boolean(),
        async (text, where, path, verb, isMail) => {
          service.logLines.length = 0;
          const value = isMail ? `${text}@${text}.example` : text;
          const json = JSON.stringify({
            keyName: value,
            email: value,
            message: value,
            signature: value,
            name: value,
          });
          const headers: Record<string, string> = {
            ...(where === 'apikey' || where === 'signature'
              ? { 'x-auth-apikey': value, 'x-auth-signature': value }
              : { authorization: `Bearer ${where === 'bearer' ? value : token}` }),
            ...(where === 'cookie' && { cookie: value }),
            ...(where === 'agent' && { 'user-agent': value, referer: value }),
            ...(where === 'forwarded' && { 'x-forwarded-for': value, 'x-request-id': `${value}"` }),
            ...(where === 'body' && verb !== 'GET' && { 'content-type': 'application/json' }),
          };
          const query = where === 'query' ? `?search=${encodeURIComponent(value)}` : '';
          const target = `${service.base}${path}${where === 'path' ? `/${encodeURIComponent(value)}` : ''}${query}`;
          const body = where === 'body' && verb !== 'GET' ? json : undefined;
          await (
            await fetch(target, { method: verb, headers, ...(body === undefined ? {} : { body }) })
          ).text();
          expect(service.logLines.length).toBeGreaterThan(0);
          expect(service.logLines.join('')).not.toContain(`@${text}`);
          // With LOG_LEVEL=debug, the log repeats the messages of errors, which name an unknown path.
          const lines = service.logLines.filter((line) => !line.startsWith('{"level":"debug"'));
          expect(lines.join('')).not.toContain(text);
          // Each line is one JSON object: nothing that was sent has broken it.
          for (const line of service.logLines) expect(line.endsWith('}\n') && JSON.parse(line)).toBeTruthy();
        },
      ),
      { numRuns: scaled(50) },
    );
  });
});
