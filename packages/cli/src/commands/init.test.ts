import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createHarness, failure, makeKeyPair, type Respond, success } from '../../test/cli-harness.ts';
import { key, env as walletEnv } from '../../test/key-of-holder.ts';
import { profileFile, writeProfiles } from '../credentials/profiles.ts';

const baseUrl = 'http://keyfront.test';
const example = fileURLToPath(new URL('../../../../examples/storefront', import.meta.url));

/** A service that registers keys. */
const respond: Respond = ({ method, target }) => {
  if (target === '/public/healthStatus') return success('Success');
  if (method === 'POST' && target === '/keys') return success({ ...key, secretKey: null }, 201);
  if (method === 'DELETE' && target === `/keys/${key.id}`) return success(null);
  return failure(404, 'Not found');
};

const readEnv = (folder: string) =>
  Object.fromEntries(
    [...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

describe('keyfront init', () => {
  it('copies all of the example, and registers a key that it has made itself', async () => {
    const harness = createHarness({ env: walletEnv, respond });
    const folder = join(harness.folder, 'my-shop');
    const { code, stdout, stderr } = await harness.run('init', folder, '--port', '4000');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Created the shop my-shop on ${baseUrl}.\nIts API key "my-shop" is registered.`);
    expect(stdout).toContain('npm install\n  npm run dev\n');

    const tracked = execFileSync('git', ['ls-files'], { cwd: example, encoding: 'utf8' }).trim().split('\n');
    const copied = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
    );
    expect(copied.sort()).toEqual([...tracked, '.env'].sort());
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest.name).toBe('my-shop');
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);

    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    const settings = readEnv(folder);
    expect(settings).toMatchObject({
      ...{ KEYFRONT_URL: baseUrl, SHOP_URL: 'http://127.0.0.1:4000', SHOP_NAME: 'my-shop' },
      ...{ SHOW_SIGN_IN_CODES: 'on', KEYFRONT_WEBHOOK_SECRET: '' },
    });
    expect(Buffer.from(settings.SESSION_SECRET, 'base64')).toHaveLength(32);
    const secret = createPrivateKey(Buffer.from(settings.KEYFRONT_SECRET_KEY, 'base64').toString());
    const sent = JSON.parse(harness.requests.find(({ method }) => method === 'POST')?.body ?? '');
    expect(sent).toMatchObject({ keyName: 'my-shop', publicKey: settings.KEYFRONT_API_KEY });
    expect(sent.scopes).not.toContain('webhooks:write');
    expect(createPublicKey(secret).equals(createPublicKey(Buffer.from(sent.publicKey, 'base64')))).toBe(true);
    for (const text of [stdout, JSON.stringify(harness.requests)])
      expect(text).not.toContain(settings.KEYFRONT_SECRET_KEY.slice(40, 80));
  });

  it('uses the key of a profile, and says how to get one where there is none', async () => {
    const pair = makeKeyPair();
    const harness = createHarness({
      env: {},
      respond: ({ target }) =>
        target === '/public/healthStatus' ? success('Success') : success({ planets: [] }),
    });
    await writeProfiles(
      profileFile(harness.context),
      new Map([['default', { url: `${baseUrl}/api/v1`, ...pair }]]),
    );
    const own = join(harness.folder, 'own');
    expect(await harness.run('init', own)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It uses the API key of your profile'),
    });
    expect(readEnv(own)).toMatchObject({
      KEYFRONT_API_KEY: pair.apiKey,
      KEYFRONT_SECRET_KEY: pair.secretKey,
    });

    // Credentials for one service are not sent to another.
    const before = harness.requests.length;
    const other = join(harness.folder, 'other');
    const { code, stdout } = await harness.run('init', other, '--base-url', 'https://other.example');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'It has no API key yet. Create one in the console, https://other.example/console',
    );
    expect(readEnv(other)).toMatchObject({
      ...{ KEYFRONT_URL: 'https://other.example', KEYFRONT_API_KEY: '', KEYFRONT_SECRET_KEY: '' },
    });
    for (const { headers } of harness.requests.slice(before)) {
      for (const name of ['authorization', 'x-auth-apikey', 'signature'])
        expect(headers.get(name)).toBeNull();
    }
  });

  it('does not send a token of the environment to another service', async () => {
    const harness = createHarness({ env: walletEnv, respond });
    const folder = join(harness.folder, 'shop');
    const { code } = await harness.run('init', folder, '--base-url', 'https://other.example');
    expect([code, readEnv(folder).KEYFRONT_API_KEY]).toEqual([0, '']);
    expect(harness.requests.map(({ headers }) => headers.get('authorization'))).toEqual([null]);
  });

  it('prints what a script needs, without the secret key', async () => {
    const harness = createHarness({ env: walletEnv, respond });
    const folder = join(harness.folder, 'shop');
    const { code, stdout } = await harness.run('init', folder, '--json');
    const { KEYFRONT_API_KEY: apiKey } = readEnv(folder);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { folder, baseUrl, shopUrl: 'http://127.0.0.1:3100', apiKey, keyId: key.id },
    ]);
    const again = await harness.run('init', folder, '--json');
    expect([again.code, JSON.parse(again.stderr).error.message]).toEqual([
      2,
      `${folder} exists and is not empty. Name a new folder, so that nothing is overwritten.`,
    ]);
  });

  it.each([
    ['My Shop', '"My Shop" cannot be the name of a shop'],
    ['shop;rm', '"shop;rm" cannot be the name of a shop'],
    ['.hidden', '".hidden" cannot be the name of a shop'],
    ['ü', '"ü" cannot be the name of a shop'],
    ['a'.repeat(64), 'cannot be the name of a shop'],
    ['node_modules', '"node_modules" cannot be the name of a shop'],
  ])('refuses the name %j', async (name, message) => {
    const harness = createHarness({ env: walletEnv, respond });
    const { code, stderr } = await harness.run('init', join(harness.folder, name));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect([harness.requests, readdirSync(harness.folder)]).toEqual([[], []]);
  });

  it('refuses a folder with anything in it, a file, a wrong port, and no service', async () => {
    const harness = createHarness({ env: {}, respond });
    const [full, file] = [join(harness.folder, 'full'), join(harness.folder, 'file')];
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), 'mine');
    writeFileSync(file, 'mine');
    const url = ['--base-url', baseUrl];
    for (const [path, problem] of [
      [full, 'exists and is not empty'],
      [file, 'a file is in the way'],
      [join(file, 'shop'), 'a file is in the way'],
    ] as const)
      expect(await harness.run('init', path, ...url)).toMatchObject({
        ...{ code: 2, stderr: expect.stringContaining(problem) },
      });
    const shop = join(harness.folder, 'shop');
    for (const port of ['0', '65536', '80a'])
      expect(await harness.run('init', shop, ...url, '--port', port)).toMatchObject({
        ...{ code: 2, stderr: expect.stringContaining('--port must be a number') },
      });
    expect(await harness.run('init', shop)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('Which service? Name it with --base-url or --demo') },
    });
    expect(readdirSync(harness.folder).sort()).toEqual(['file', 'full']);
    expect(readFileSync(join(full, 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('leaves nothing behind if the service refuses the key', async () => {
    const harness = createHarness({
      env: walletEnv,
      respond: (request) => (request.target === '/keys' ? failure(403, 'Too many keys') : respond(request)),
    });
    const [nested, empty] = [join(harness.folder, 'new', 'shop'), join(harness.folder, 'empty')];
    mkdirSync(empty);
    for (const folder of [nested, empty]) expect((await harness.run('init', folder)).code).toBe(4);
    expect([existsSync(join(harness.folder, 'new')), readdirSync(empty)]).toEqual([false, []]);
  });

  it('revokes the key if its settings cannot be written', async () => {
    const harness = createHarness({
      env: walletEnv,
      respond: (request) => {
        // Somebody else creates the file in the meantime.
        if (request.target === '/keys') writeFileSync(join(folder, '.env'), 'mine');
        return respond(request);
      },
    });
    const folder = join(harness.folder, 'shop');
    expect((await harness.run('init', folder)).code).toBe(1);
    expect(harness.requests.at(-1)).toMatchObject({ method: 'DELETE', target: `/keys/${key.id}` });
    expect(existsSync(folder)).toBe(false);
  });
});
