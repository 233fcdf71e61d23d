import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { address, failure, makePair, openWorld, type SentRequest, success } from '../../test/world.ts';

const env = { KEYFRONT_URL: address, KEYFRONT_TOKEN: 'jwt' };
const key = {
  id: '019a8f3e-7c00-7000-8000-000000000001',
  keyName: 'A\u001b[31mname',
  apiKey: 'public',
  tokenId: 1001,
  createdAt: '2026-11-15T09:30:00.000Z',
};

describe('keyfront keys list', () => {
  const answer = ({ target }: SentRequest) => {
    const isFirst = target.includes('page=1&');
    const used = { lastUsedAt: '2026-11-15T10:00:00.000Z', revokedAt: null };
    const revoked = { lastUsedAt: null, revokedAt: '2026-11-15T11:00:00.000Z' };
    return success({
      keys: [{ ...key, ...(isFirst ? used : revoked) }],
      pageMetaDto: { hasNextPage: isFirst },
    });
  };

  it('lists the keys of all pages', async () => {
    const { code, stdout } = await openWorld({ env, answer }).run('keys', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'TOKEN', 'CREATED', 'LAST USED', 'REVOKED'],
      [key.id, 'A [31mname', '1001', key.createdAt, '2026-11-15T10:00:00.000Z', '-'],
      [key.id, 'A [31mname', '1001', key.createdAt, '-', '2026-11-15T11:00:00.000Z'],
      [''],
    ]);
  });

  it('is data with --json', async () => {
    const { stdout } = await openWorld({ env, answer }).run('keys', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([key, key]);
  });

  it('takes a wallet: an API key is told so before anything is asked', async () => {
    const world = openWorld();
    const { code, stderr } = await world.run('keys', 'list');
    expect([code, world.requests]).toEqual([3, []]);
    expect(stderr).toMatch(/^error: Keys belong to a wallet, .+ --wallet-key-file FILE --profile wallet/);
  });
});

describe('keyfront keys create', () => {
  const answer = () => success({ ...key, secretKey: null }, 201);

  it('makes the pair here, keeps the secret in a file of the user alone, and sends the public key', async () => {
    const world = openWorld({ env, answer });
    const file = join(world.folder, 'secret.pem');
    const { code, stdout } = await world.run('keys', 'create', 'Mine', '--secret-key-file', file);
    expect([code, stdout]).toEqual([
      0,
      `Key ${key.id} acts for the digital key 1001\nIts secret is in ${file} and nowhere else\n`,
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { keyName, publicKey, ...others } = JSON.parse(world.requests[0]?.body ?? '');
    expect([keyName, others]).toEqual(['Mine', {}]);
    const sent = createPublicKey(Buffer.from(publicKey, 'base64'));
    expect(createPublicKey(readFileSync(file)).equals(sent)).toBe(true);
  });

  it('registers a public key whose secret is elsewhere', async () => {
    const world = openWorld({ env, answer });
    const file = join(world.folder, 'public.pem');
    const { apiKey } = makePair();
    writeFileSync(file, Buffer.from(apiKey, 'base64'));
    const { code, stdout } = await world.run('keys', 'create', 'Mine', '--public-key-file', file, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, key]);
    expect(JSON.parse(world.requests[0]?.body ?? '')).toEqual({ keyName: 'Mine', publicKey: apiKey });
  });

  it('never sends a secret that is named by mistake', async () => {
    const world = openWorld({ env, answer });
    const file = join(world.folder, 'secret.pem');
    writeFileSync(file, Buffer.from(makePair().secretKey, 'base64'));
    const { code, stderr } = await world.run('keys', 'create', 'Mine', '--public-key-file', file);
    expect([code, world.requests]).toEqual([2, []]);
    expect(stderr).toContain('The API key is a private key');
  });

  it('leaves a file that is there as it is', async () => {
    const world = openWorld({ env, answer });
    const file = join(world.folder, 'secret.pem');
    writeFileSync(file, 'of another key');
    const { code, stderr } = await world.run('keys', 'create', 'Mine', '--secret-key-file', file);
    expect([code, stderr, world.requests]).toEqual([
      2,
      `error: ${file} is there already: name a new file\n`,
      [],
    ]);
    expect(readFileSync(file, 'utf8')).toBe('of another key');
  });

  it('leaves no secret behind where the key is refused', async () => {
    const world = openWorld({ env, answer: () => failure(403, 'The wallet owns no digital key') });
    const file = join(world.folder, 'secret.pem');
    expect((await world.run('keys', 'create', 'Mine', '--secret-key-file', file)).code).toBe(4);
    expect(existsSync(file)).toBe(false);
  });

  it.each([[[]], [['--secret-key-file', 'a', '--public-key-file', 'b']]])(
    'takes one of two files: %j',
    async (args) => {
      const { code, stderr } = await openWorld({ env }).run('keys', 'create', 'Mine', ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Say with --secret-key-file where')]);
    },
  );
});

describe('keyfront keys revoke', () => {
  it('revokes a key', async () => {
    const world = openWorld({ env, answer: () => success(key) });
    expect(await world.run('keys', 'revoke', key.id)).toEqual({
      code: 0,
      stdout: `Key ${key.id} is revoked\n`,
      stderr: '',
    });
    expect(world.requests.map(({ method, target }) => [method, target])).toEqual([
      ['DELETE', `/keys/${key.id}`],
    ]);
  });
});
