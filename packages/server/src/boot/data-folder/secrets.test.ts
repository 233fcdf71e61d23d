import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readOrCreateSecrets } from './secrets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('creates all secrets once, and reads them again', async () => {
  const secrets = await readOrCreateSecrets(folder);
  expect(secrets.dataEncryptionKey).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(Object.values(secrets)).size).toBe(4);
  expect(await readOrCreateSecrets(folder)).toEqual(secrets);
});

it('adds an encryption key to the secrets of an earlier version', async () => {
  const earlier = { jwtSecret: 'a', databaseOwnerPassword: 'b', databaseLoginPassword: 'c' };
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(earlier));
  const secrets = await readOrCreateSecrets(folder);
  expect(secrets).toEqual({ ...earlier, dataEncryptionKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets);
});
