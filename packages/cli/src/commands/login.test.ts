import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recoverMessageAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { address, makePair, makeToken, openWorld, success, type World } from '../../test/world.ts';

const pair = makePair();
const other = makePair();

function readKept({ folder }: World): unknown {
  return JSON.parse(readFileSync(join(folder, 'config', 'profiles.json'), 'utf8')).profiles;
}

function writeDemo({ folder }: World): string {
  const file = join(folder, 'demo.json');
  const wallet = { walletPrivateKey: generatePrivateKey() };
  const demo = {
    baseUrl: address,
    holders: [
      { ...pair, ...wallet },
      { ...other, ...wallet },
    ],
    admin: wallet,
  };
  writeFileSync(file, JSON.stringify(demo));
  return file;
}

describe('keyfront login', () => {
  it('keeps the first holder of a demo, or the second, in a file that only the user can read', async () => {
    const world = openWorld({ env: {} });
    const demo = writeDemo(world);
    expect(await world.run('login', '--demo', demo)).toEqual({
      code: 0,
      stdout: `Profile "default" is for ${address}\n`,
      stderr: '',
    });
    expect((await world.run('login', '--demo', demo, '--holder', '2', '--profile', 'second')).code).toBe(0);
    expect(readKept(world)).toEqual({
      default: { url: address, ...pair },
      second: { url: address, ...other },
    });
    expect(statSync(join(world.folder, 'config', 'profiles.json')).mode & 0o777).toBe(0o600);
    expect(world.requests).toEqual([]);
  });

  it('takes the secret from a file and makes the API key from it', async () => {
    const world = openWorld({ env: {} });
    const file = join(world.folder, 'secret.pem');
    writeFileSync(file, Buffer.from(pair.secretKey, 'base64'));
    expect((await world.run('login', '--url', 'http://keyfront.test/', '--secret-key-file', file)).code).toBe(
      0,
    );
    expect(readKept(world)).toEqual({ default: { url: address, ...pair } });
  });

  it('takes the secret from the standard input', async () => {
    const world = openWorld({ env: {}, input: `${pair.secretKey}\n` });
    expect((await world.run('login', '--url', address, '--secret-key-file', '-')).code).toBe(0);
    expect(readKept(world)).toEqual({ default: { url: address, ...pair } });
  });

  it('takes everything from the environment', async () => {
    const { apiKey, secretKey } = pair;
    const world = openWorld({
      env: { KEYFRONT_URL: address, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey },
    });
    expect((await world.run('login')).code).toBe(0);
    expect(readKept(world)).toEqual({ default: { url: address, ...pair } });
  });

  it.each([
    ['holder', [], undefined],
    ['administrator', ['--admin'], 'admin'],
  ] as const)('signs a wallet in as %s and keeps the token, not the key', async (role, flags, type) => {
    const token = makeToken({ role, exp: 2_000_000_000 });
    const key = generatePrivateKey();
    const { address: wallet } = privateKeyToAccount(key);
    const world = openWorld({
      env: {},
      answer: ({ target }) => success(target === '/auth/nonce' ? { message: 'Sign this' } : { token }, 201),
    });
    const file = join(world.folder, 'wallet');
    writeFileSync(file, `${key}\n`);
    const login = await world.run('login', '--url', address, '--wallet-key-file', file, ...flags);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(readKept(world)).toEqual({ default: { url: address, token } });
    const [nonce, signIn] = world.requests.map(({ body }) => JSON.parse(body));
    expect(nonce).toEqual({ walletAddress: wallet, ...(type && { type }) });
    expect(signIn.message).toBe('Sign this');
    expect(await recoverMessageAddress(signIn)).toBe(wallet);
  });

  it.each([
    [['--wallet'], 'dapp'],
    [['--admin'], 'admin'],
  ] as const)('signs in with a wallet of the demo: %j', async (flags, type) => {
    const world = openWorld({
      env: {},
      answer: ({ target }) =>
        success(target === '/auth/nonce' ? { message: 'Sign this' } : { token: 'jwt' }, 201),
    });
    expect((await world.run('login', '--demo', writeDemo(world), ...flags)).code).toBe(0);
    expect(readKept(world)).toEqual({ default: { url: address, token: 'jwt' } });
    expect(JSON.parse(world.requests[0]?.body ?? '').type ?? 'dapp').toBe(type);
  });

  it('refuses a secret that does not belong to the API key', async () => {
    const world = openWorld({ env: {}, input: other.secretKey });
    const login = await world.run(
      'login',
      '--url',
      address,
      '--api-key',
      pair.apiKey,
      '--secret-key-file',
      '-',
    );
    expect(login).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not belong to the API key'),
    });
  });

  it.each([
    [[], 'There is no address: give it with --url, or set KEYFRONT_URL'],
    [['--url', 'nonsense'], '"nonsense" is not the address of a service: it begins with http:// or https://'],
    [['--url', address], 'There is no secret key: name its file with --secret-key-file'],
    [['--url', address, '--admin'], '--admin needs a wallet: name its key with --wallet-key-file'],
    [['--url', address, '--wallet'], '--wallet goes with --demo'],
    [['--demo', 'x', '--url', address], "option '--demo <file>' cannot be used with option '--url <url>'"],
    [['--demo', 'x', '--holder', '3'], 'Allowed choices are 1, 2'],
    [['--secret-key', 'x'], "unknown option '--secret-key'"],
  ])('says what is missing: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await openWorld({ env: {} }).run('login', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  it('says of a file that it is none of a demo', async () => {
    const world = openWorld({ env: {} });
    const file = join(world.folder, 'other.json');
    writeFileSync(file, '{"holders":[]}');
    expect(await world.run('login', '--demo', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the file of a demo'),
    });
    expect(await world.run('login', '--demo', '/no/such/file')).toMatchObject({
      code: 1,
      stderr: 'error: /no/such/file: there is no such file or folder\n',
    });
  });

  it.each(['0x12', 'a'.repeat(63), '0'.repeat(64)])(
    'says of a key that it is none of a wallet: %s',
    async (key) => {
      const world = openWorld({ env: {}, input: key });
      const login = await world.run('login', '--url', address, '--wallet-key-file', '-');
      expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining('The key of the wallet') });
      expect(login.stderr).not.toContain(key);
    },
  );
});
