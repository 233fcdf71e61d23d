import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recoverMessageAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  type CliHarness,
  createHarness,
  failure,
  makeKeyPair,
  makeToken,
  type Respond,
  success,
} from '../../test/cli-harness.ts';

const pair = makeKeyPair();
const otherPair = makeKeyPair();
const now = new Date('2026-11-15T09:30:00.000Z');

/** A service that accepts all credentials and signs every wallet in. */
function respondWithToken(token: string): Respond {
  return ({ target }) => {
    if (target === '/public/healthStatus') return success('Success', 200, { date: now.toUTCString() });
    if (target === '/auth/nonce') return success({ message: 'Sign this' }, 201);
    if (target === '/auth/signIn') return success({ token }, 201);
    return success({ planets: [] });
  };
}
const respond = respondWithToken(makeToken({ role: 'holder', exp: 2_000_000_000 }));

function readSaved({ folder }: CliHarness): unknown {
  const file = join(folder, 'config', 'profiles.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).profiles : null;
}

function writeDemoFile({ folder }: CliHarness): string {
  const file = join(folder, 'demo.json');
  const wallet = { walletPrivateKey: generatePrivateKey() };
  const holders = [
    { ...pair, ...wallet },
    { ...otherPair, ...wallet },
  ];
  writeFileSync(file, JSON.stringify({ baseUrl, holders, admin: wallet }));
  return file;
}

describe('keyfront login', () => {
  it('saves the first or second holder of a demo in a file that only the user can read', async () => {
    const harness = createHarness({ env: {}, respond, now });
    const demo = writeDemoFile(harness);
    expect(await harness.run('login', '--demo', demo)).toEqual({
      code: 0,
      stdout: `Logged in to ${baseUrl}. Credentials saved in profile "default".\n`,
      stderr: '',
    });
    const second = ['--holder', '2', '--profile', 'second'];
    expect((await harness.run('login', '--demo', demo, ...second)).code).toBe(0);
    expect(readSaved(harness)).toEqual({
      default: { url: baseUrl, ...pair },
      second: { url: baseUrl, ...otherPair },
    });
    expect(statSync(join(harness.folder, 'config', 'profiles.json')).mode & 0o777).toBe(0o600);
  });

  it('reads the secret key from a file and derives the API key', async () => {
    const harness = createHarness({ env: {}, respond, now });
    const file = join(harness.folder, 'secret.pem');
    writeFileSync(file, Buffer.from(pair.secretKey, 'base64'));
    const { code } = await harness.run('login', '--url', 'http://keyfront.test/', '--secret-key-file', file);
    expect(code).toBe(0);
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, ...pair } });
  });

  it.each([
    ['as the console saves it', ''],
    ['with other lines, quotes and the ends of lines of Windows', '"'],
  ])('reads the key pair from an environment file %s', async (_how, quote) => {
    const harness = createHarness({ env: {}, respond, now });
    const file = join(harness.folder, 'keyfront-my-shop.env');
    const write = ({ apiKey, secretKey }: typeof pair) =>
      writeFileSync(
        file,
        [
          ...(quote ? ['# My shop', 'PORT=80'] : []),
          `KEYFRONT_API_KEY=${quote}${apiKey}${quote}`,
          `KEYFRONT_SECRET_KEY=${quote}${secretKey}${quote}`,
          '',
        ].join(quote ? '\r\n' : '\n'),
      );
    write(pair);
    const login = () => harness.run('login', '--url', baseUrl, '--secret-key-file', file);
    expect(await login()).toMatchObject({ code: 0, stderr: '' });
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, ...pair } });
    write({ ...pair, apiKey: otherPair.apiKey });
    expect(await login()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The secret key does not match the API key'),
    });
    writeFileSync(file, `KEYFRONT_API_KEY=${pair.apiKey}\n`);
    expect(await login()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nor an environment file with KEYFRONT_SECRET_KEY'),
    });
  });

  it('reads the secret key from standard input', async () => {
    const harness = createHarness({ env: {}, respond, now, stdin: `${pair.secretKey}\n` });
    expect((await harness.run('login', '--url', baseUrl, '--secret-key-file', '-')).code).toBe(0);
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, ...pair } });
  });

  it('reads everything from the environment', async () => {
    const { apiKey, secretKey } = pair;
    const harness = createHarness({
      env: { KEYFRONT_URL: baseUrl, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey },
      respond,
      now,
    });
    expect((await harness.run('login')).code).toBe(0);
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, ...pair } });
  });

  it('saves in the profile of KEYFRONT_PROFILE', async () => {
    const harness = createHarness({ env: { KEYFRONT_PROFILE: 'shop' }, respond, now });
    await harness.run('login', '--demo', writeDemoFile(harness));
    expect(readSaved(harness)).toEqual({ shop: { url: baseUrl, ...pair } });
  });

  it.each([
    ['holder', [], undefined],
    ['administrator', ['--admin'], 'admin'],
  ] as const)('signs a wallet in as %s and saves the token, not the key', async (role, flags, type) => {
    const token = makeToken({ role, exp: 2_000_000_000 });
    const key = generatePrivateKey();
    const { address: walletAddress } = privateKeyToAccount(key);
    const harness = createHarness({ env: {}, now, respond: respondWithToken(token) });
    const file = join(harness.folder, 'wallet');
    writeFileSync(file, `${key}\n`);
    const login = await harness.run('login', '--url', baseUrl, '--wallet-key-file', file, ...flags);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, token } });
    const [nonce, signIn] = harness.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body));
    expect(nonce).toEqual({ walletAddress, ...(type && { type }) });
    expect(signIn.message).toBe('Sign this');
    expect(await recoverMessageAddress(signIn)).toBe(walletAddress);
  });

  it.each([
    [['--wallet'], 'dapp'],
    [['--admin'], 'admin'],
  ] as const)('signs in with a wallet of the demo: %j', async (flags, type) => {
    const harness = createHarness({ env: {}, respond, now });
    expect((await harness.run('login', '--demo', writeDemoFile(harness), ...flags)).code).toBe(0);
    expect(readSaved(harness)).toMatchObject({ default: { url: baseUrl, token: expect.any(String) } });
    const nonce = harness.requests.find(({ target }) => target === '/auth/nonce');
    expect(JSON.parse(nonce?.body ?? '').type ?? 'dapp').toBe(type);
  });

  it.each([
    [[], 'No service URL. Use --url or set KEYFRONT_URL.'],
    [['--url', 'nonsense'], 'Invalid service URL "nonsense": it must start with http:// or https://'],
    [['--url', 'http://a:b@x'], 'The service URL must not contain a user name or password'],
    [['--url', baseUrl], 'No secret key. Use --secret-key-file or set KEYFRONT_SECRET_KEY.'],
    [['--url', baseUrl, '--admin'], '--admin requires --wallet-key-file or --demo'],
    [['--url', baseUrl, '--wallet'], '--wallet requires --demo'],
    [['--demo', 'x', '--url', baseUrl], "option '--demo <file>' cannot be used with option '--url <url>'"],
    [
      ['--secret-key-file', 'a', '--wallet-key-file', 'b'],
      "option '--wallet-key-file <file>' cannot be used with option '--secret-key-file <file>'",
    ],
    [
      ['--api-key', 'a', '--wallet-key-file', 'b'],
      "option '--wallet-key-file <file>' cannot be used with option '--api-key <key>'",
    ],
    [['--url', baseUrl, '--holder', '2'], '--holder requires --demo'],
    [['--demo', 'x', '--wallet', '--admin'], "option '--wallet' cannot be used with option '--admin'"],
    [['--demo', 'x', '--holder', '3'], 'Allowed choices are 1, 2'],
    [['--secret-key', 'x'], "unknown option '--secret-key'"],
  ])('reports invalid usage: %j', async (args, message) => {
    const { code, stdout, stderr } = await createHarness({ env: {} }).run('login', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('names the flag and the file if that has no key', async () => {
    const harness = createHarness({ env: {} });
    const file = join(harness.folder, 'notes.txt');
    writeFileSync(file, 'not a key');
    const login = (flag: string) => harness.run('login', '--url', baseUrl, flag, file);
    expect((await login('--secret-key-file')).stderr).toBe(
      `error: --secret-key-file ${file} is not a private key in PEM, Base64 of PEM, or DER, nor an environment file with KEYFRONT_SECRET_KEY. Check that it is complete.\n`,
    );
    expect((await login('--wallet-key-file')).stderr).toBe(
      `error: --wallet-key-file ${file} must contain 64 hexadecimal digits\n`,
    );
  });

  it('names a folder that is given as a file', async () => {
    const harness = createHarness({ env: {} });
    for (const flag of ['--demo', '--secret-key-file', '--wallet-key-file']) {
      const url = flag === '--demo' ? [] : ['--url', baseUrl];
      expect(await harness.run('login', ...url, flag, harness.folder)).toMatchObject({
        code: 1,
        stderr: `error: ${harness.folder}: is a directory\n`,
      });
    }
  });

  it('reports a file that is not a demo file', async () => {
    const harness = createHarness({ env: {} });
    const file = join(harness.folder, 'other.json');
    writeFileSync(file, '{"holders":[]}');
    expect(await harness.run('login', '--demo', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not a demo file'),
    });
    expect(await harness.run('login', '--demo', '/no/such/file')).toMatchObject({
      code: 1,
      stderr: 'error: /no/such/file: no such file or directory\n',
    });
  });

  it.each(['0x12', 'a'.repeat(63), '0'.repeat(64)])(
    'rejects an invalid wallet key without quoting it: %s',
    async (key) => {
      const harness = createHarness({ env: {}, stdin: key });
      const login = await harness.run('login', '--url', baseUrl, '--wallet-key-file', '-');
      expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining('--wallet-key-file - ') });
      expect(login.stderr).not.toContain(key);
    },
  );
});

describe('the verification of keyfront login', () => {
  const ofKey = (respondTo: Respond) =>
    createHarness({ env: {}, now, stdin: pair.secretKey, respond: respondTo });
  const loginWithKey = ['login', '--url', baseUrl, '--secret-key-file', '-'];
  const notSaved = ' Nothing was saved; use --no-verify to save without verifying.\n';
  const rejectWith =
    (code: string, reason: string): Respond =>
    (request) =>
      request.target === '/planets'
        ? failure(401, 'User is not authorized', { code, reason })
        : respond(request);

  it('sends one signed request after the public health check', async () => {
    const harness = ofKey(respond);
    await harness.run(...loginWithKey);
    expect(harness.requests.map(({ method, target }) => [method, target])).toEqual([
      ['GET', '/public/healthStatus'],
      ['GET', '/planets'],
    ]);
    expect(harness.requests[0]?.headers.has('signature-input')).toBe(false);
    expect(harness.requests[1]?.headers.has('signature-input')).toBe(true);
  });

  const unreachable: Respond = () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  };
  const expiredCertificate: Respond = () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'CERT_HAS_EXPIRED' } });
  };

  it.each([
    ['an unreachable URL', unreachable, 5, `Cannot reach ${baseUrl}: `],
    [
      'a clock outside the validity of the certificate',
      expiredCertificate,
      5,
      'The certificate is not valid at 2026-11-15T09:30:00.000Z. Check the clock of this machine',
    ],
    ['another service', () => new Response('<html>'), 5, `${baseUrl} is not a Keyfront service (status 200)`],
    [
      'an unknown or revoked key',
      rejectWith('API_KEY_UNKNOWN', 'its key is not known here or was revoked'),
      3,
      'The service does not know this API key, or the key was revoked',
    ],
    [
      'a changed request',
      rejectWith('SIGNATURE_INVALID', 'x-auth-signature does not match the payload of this request: {}'),
      3,
      'Something in front of the service changes the request',
    ],
  ] as const)('reports %s and saves nothing', async (_what, respondTo, code, message) => {
    const harness = ofKey(respondTo);
    const result = await harness.run(...loginWithKey);
    expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr.startsWith('error: ')).toBe(true);
    expect(result.stderr.endsWith(notSaved)).toBe(true);
    expect(readSaved(harness)).toBeNull();
  });

  it('reports a secret key that does not match the API key before it sends anything', async () => {
    const harness = createHarness({ env: {}, stdin: otherPair.secretKey, respond });
    const result = await harness.run(...loginWithKey, '--api-key', pair.apiKey);
    expect(result).toMatchObject({
      code: 2,
      stderr: 'error: The secret key does not match the API key. Use both keys of the same pair.\n',
    });
    expect([harness.requests, readSaved(harness)]).toEqual([[], null]);
  });

  it('reports an unreachable URL before a wallet signs', async () => {
    const harness = createHarness({ env: {}, respond: unreachable, stdin: generatePrivateKey() });
    const result = await harness.run('login', '--url', baseUrl, '--wallet-key-file', '-');
    expect(result).toMatchObject({ code: 5, stderr: expect.stringContaining(`Cannot reach ${baseUrl}`) });
    expect(harness.requests).toHaveLength(1);
  });

  const anHourLater = new Date(now.getTime() + 3_600_000);

  it('warns about a wrong clock, on which a key does not depend', async () => {
    const harness = createHarness({ env: {}, now: anHourLater, stdin: pair.secretKey, respond });
    expect(await harness.run(...loginWithKey)).toMatchObject({
      code: 0,
      stderr:
        'warning: The clock of this machine is 60 minutes ahead of the service. Bound signatures need the correct time, within five minutes.\n',
    });
  });

  it('reports a wrong clock with a wallet, whose token expires', async () => {
    const harness = createHarness({ env: {}, now: anHourLater, stdin: generatePrivateKey(), respond });
    const args = ['login', '--url', baseUrl, '--wallet-key-file', '-'];
    expect(await harness.run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The clock of this machine is 60 minutes ahead of the service/),
    });
    expect(readSaved(harness)).toBeNull();
    expect((await harness.run(...args, '--no-verify')).code).toBe(0);
  });

  it('is skipped with --no-verify', async () => {
    const harness = ofKey(unreachable);
    expect(await harness.run(...loginWithKey, '--no-verify')).toEqual({
      code: 0,
      stdout: `Saved profile "default" for ${baseUrl} without verifying it.\n`,
      stderr: '',
    });
    expect([harness.requests, readSaved(harness)]).toEqual([[], { default: { url: baseUrl, ...pair } }]);
  });

  it('keeps the existing profile if it fails', async () => {
    const harness = createHarness({ env: {}, now, stdin: otherPair.secretKey, respond: unreachable });
    await harness.run('login', '--demo', writeDemoFile(harness), '--no-verify');
    await harness.run(...loginWithKey);
    expect(readSaved(harness)).toEqual({ default: { url: baseUrl, ...pair } });
  });
});
