import { createPublicKey, sign, verify } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHarness, failure, makeKeyPair, success } from '../../test/cli-harness.ts';
import { env, key, walletAddress } from '../../test/key-of-holder.ts';

/** Verifies a proof of possession, without the code that makes it. */
function isProven({
  publicKey,
  proof,
}: {
  publicKey: string;
  proof: { issuedAt: string; signature: string };
}) {
  const lines = [
    'Keyfront API key',
    `Wallet: ${walletAddress}`,
    `Public key: ${publicKey}`,
    `Time: ${proof.issuedAt}`,
  ];
  const text = Buffer.from(lines.join('\n'));
  return verify('sha256', text, Buffer.from(publicKey, 'base64'), Buffer.from(proof.signature, 'base64'));
}

describe('keyfront keys create', () => {
  const respond = () => success({ ...key, secretKey: null }, 201);

  it('generates a key pair, saves the secret key in a private file and sends the public key', async () => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'secret.pem');
    const { code, stdout } = await harness.run('keys', 'create', 'Mine', '--secret-key-file', file);
    expect([code, stdout]).toEqual([
      0,
      `Created API key ${key.id} for digital key 1001.\nThe secret key is in ${file}. Keep it safe: there is no other copy.\n`,
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { keyName, ...own } = JSON.parse(harness.requests[0]?.body ?? '');
    expect([keyName, Object.keys(own)]).toEqual(['Mine', ['publicKey', 'proof']]);
    const sent = createPublicKey(Buffer.from(own.publicKey, 'base64'));
    expect(createPublicKey(readFileSync(file)).equals(sent)).toBe(true);
    expect(isProven(own)).toBe(true);
  });

  it('registers the pair of an existing secret key, which it does not send', async () => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'own.pem');
    const { apiKey, secretKey } = makeKeyPair();
    writeFileSync(file, Buffer.from(secretKey, 'base64'));
    const { code, stdout } = await harness.run('keys', 'create', 'Mine', '--own-key-file', file, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, key]);
    const sent = JSON.parse(harness.requests[0]?.body ?? '');
    expect(sent).toMatchObject({ keyName: 'Mine', publicKey: apiKey });
    expect(isProven(sent)).toBe(true);
    expect(harness.requests[0]?.body).not.toContain(secretKey.slice(0, 20));
  });

  it('registers a public key with a proof that was signed elsewhere, and says what to sign', async () => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'public.pem');
    const { apiKey, secretKey } = makeKeyPair();
    writeFileSync(file, Buffer.from(apiKey, 'base64'));
    const asked = await harness.run('keys', 'create', 'Mine', '--public-key-file', file);
    expect([asked.code, harness.requests]).toEqual([2, []]);
    const text = asked.stdout;
    const [, time = ''] = /--proof-time (\S+) --proof/.exec(asked.stderr) ?? [];
    const signature = sign('sha256', Buffer.from(text), Buffer.from(secretKey, 'base64')).toString('base64');
    const proof = ['--proof-time', time, '--proof', signature];
    const { code } = await harness.run('keys', 'create', 'Mine', '--public-key-file', file, ...proof);
    expect(code).toBe(0);
    const sent = JSON.parse(harness.requests[0]?.body ?? '');
    expect(sent).toEqual({ keyName: 'Mine', publicKey: apiKey, proof: { issuedAt: time, signature } });
    expect(isProven(sent)).toBe(true);
  });

  it('rejects a token that names no wallet before it sends anything', async () => {
    const harness = createHarness({ env: { ...env, KEYFRONT_TOKEN: 'jwt' }, respond });
    const file = join(harness.folder, 'secret.pem');
    const { code, stderr } = await harness.run('keys', 'create', 'Mine', '--secret-key-file', file);
    expect([code, stderr, harness.requests, existsSync(file)]).toEqual([
      3,
      'error: The token does not name a wallet. Sign in again.\n',
      [],
      false,
    ]);
  });

  it('never sends a secret key that is given as the public key', async () => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'secret.pem');
    writeFileSync(file, Buffer.from(makeKeyPair().secretKey, 'base64'));
    const { code, stderr } = await harness.run('keys', 'create', 'Mine', '--public-key-file', file);
    expect([code, harness.requests]).toEqual([2, []]);
    expect(stderr).toContain(`--public-key-file ${file} is a private key`);
  });

  it.each([
    ['--public-key-file', 'is not a public key in PEM, Base64 of PEM, or DER'],
    ['--own-key-file', 'is not a private key in PEM, Base64 of PEM, or DER'],
  ])('names %s and the file if that has no key', async (flag, message) => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'README.md');
    writeFileSync(file, '# Not a key\n');
    const { code, stderr } = await harness.run('keys', 'create', 'Mine', flag, file);
    expect([code, harness.requests]).toEqual([2, []]);
    expect(stderr).toBe(`error: ${flag} ${file} ${message}. Check that it is complete.\n`);
  });

  it('does not overwrite a file', async () => {
    const harness = createHarness({ env, respond });
    const file = join(harness.folder, 'secret.pem');
    writeFileSync(file, 'of another key');
    const { code, stderr } = await harness.run('keys', 'create', 'Mine', '--secret-key-file', file);
    expect([code, stderr, harness.requests]).toEqual([
      2,
      `error: ${file} already exists. Choose another file name.\n`,
      [],
    ]);
    expect(readFileSync(file, 'utf8')).toBe('of another key');
  });

  it('removes the secret key if the registration fails', async () => {
    const harness = createHarness({ env, respond: () => failure(403, 'The wallet owns no digital key') });
    const file = join(harness.folder, 'secret.pem');
    expect((await harness.run('keys', 'create', 'Mine', '--secret-key-file', file)).code).toBe(4);
    expect(existsSync(file)).toBe(false);
  });

  it('names the argument that the service rejects', async () => {
    const data = ['keyName must be shorter than or equal to 100 characters', 'proof.signature is invalid'];
    const harness = createHarness({ env, respond: () => failure(400, 'Validation failed', { data }) });
    const file = join(harness.folder, 'secret.pem');
    const { stderr } = await harness.run('keys', 'create', 'x', '--secret-key-file', file);
    expect(stderr).toBe(
      'error: <name> must be shorter than or equal to 100 characters; --proof is invalid\n',
    );
  });

  it.each([
    ['--secret-key-file', 'a', '--proof', 'MEUC'],
    ['--own-key-file', 'a', '--proof', 'MEUC', '--proof-time', '2026-11-15T09:30:00Z'],
    ['--secret-key-file', 'a', '--proof-time', '2026-11-15T09:30:00Z'],
    ['--proof', 'MEUC'],
  ])('rejects a proof without --public-key-file: %s %s %s', async (...args) => {
    const harness = createHarness({ env, respond });
    const { code, stderr } = await harness.run('keys', 'create', 'Mine', ...args);
    expect([code, stderr, harness.requests]).toEqual([
      2,
      'error: --proof and --proof-time require --public-key-file\n',
      [],
    ]);
  });

  it.each([[[]], [['--secret-key-file', 'a', '--public-key-file', 'b']]])(
    'requires exactly one file: %j',
    async (args) => {
      const { code, stderr } = await createHarness({ env }).run('keys', 'create', 'Mine', ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Use one of --secret-key-file')]);
    },
  );
});

describe('keyfront keys rotate', () => {
  const successor = {
    ...key,
    id: '019a8f3e-7c00-7000-8000-000000000009',
    secretKey: null,
    replaces: { id: key.id, expiresAt: '2026-11-15T10:30:00.000Z' },
  };

  it('registers a key pair of this machine as the successor', async () => {
    const harness = createHarness({ env, respond: () => success(successor, 201) });
    const file = join(harness.folder, 'successor.pem');
    const args = ['--secret-key-file', file, '--overlap', '3600'];
    const { code, stdout } = await harness.run('keys', 'rotate', key.id, ...args);
    expect([code, stdout]).toEqual([
      0,
      `Created API key ${successor.id}, which replaces ${key.id}. The old key is accepted until 2026-11-15T10:30:00.000Z.\n` +
        `The secret key is in ${file}. Keep it safe: there is no other copy.\n`,
    ]);
    const [request] = harness.requests;
    expect([request?.method, request?.target]).toEqual(['POST', `/keys/${key.id}/rotate`]);
    const body = JSON.parse(request?.body ?? '');
    expect(body).toMatchObject({ overlapSeconds: 3600, proof: { signature: expect.any(String) } });
    const publicKey = createPublicKey(readFileSync(file)).export({ type: 'spki', format: 'pem' });
    expect(Buffer.from(body.publicKey, 'base64').toString()).toBe(publicKey);
  });

  it.each([
    [[], undefined],
    [['--expires-at', '2027-11-15T09:30:00Z'], '2027-11-15T09:30:00Z'],
    [['--expires-at', 'never'], null],
  ])('lets the successor end as the old key, or as it is told: %j', async (args, expiresAt) => {
    const harness = createHarness({ env, respond: () => success(successor, 201) });
    const file = join(harness.folder, 'successor.pem');
    await harness.run('keys', 'rotate', key.id, '--secret-key-file', file, ...args);
    expect(JSON.parse(harness.requests[0]?.body ?? '').expiresAt).toBe(expiresAt);
  });

  it('removes the secret key if the service refuses, and rejects another overlap', async () => {
    const harness = createHarness({ env, respond: () => failure(403, 'The API key has a successor') });
    const file = join(harness.folder, 'successor.pem');
    expect((await harness.run('keys', 'rotate', key.id, '--secret-key-file', file)).code).toBe(4);
    expect(existsSync(file)).toBe(false);
    const { stderr } = await harness.run(
      'keys',
      'rotate',
      key.id,
      '--secret-key-file',
      file,
      '--overlap',
      'x',
    );
    expect(stderr).toBe('error: --overlap must be a number of seconds\n');
  });
});
