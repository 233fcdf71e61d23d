import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey, CreatedKey, KeyPage } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../../test/support/curl.ts';
import { type GuardedApp, readData, startGuardedApp } from '../../../../../test/support/guarded-app.ts';
import { makeOpensslKey, signWithOpenssl } from '../../../../../test/support/openssl.ts';
import { runSql } from '../../../../../test/support/test-database.ts';

let service: GuardedApp;
let ada: string;
let ben: string;
beforeAll(async () => {
  service = await startGuardedApp();
  [ada, ben] = await Promise.all([service.signIn(service.ada), service.signIn(service.ben)]);
});
afterAll(() => service.close());

const create = async (token: string, body: unknown) =>
  readData<CreatedKey>(await service.call(token, 'POST', '/keys', body));

/** A signed GET with a key that the service gave out. */
function use({ apiKey, secretKey }: CreatedKey, path = '/planets') {
  const file = join(service.folder, 'secret.pem');
  writeFileSync(file, Buffer.from(secretKey ?? '', 'base64'), { mode: 0o600 });
  const signature = signWithOpenssl({ file }, '{}');
  return curl(
    '--header',
    `x-auth-apikey: ${apiKey}`,
    '--header',
    `x-auth-signature: ${signature}`,
    service.base + path,
  );
}

describe('POST /keys', () => {
  it('makes a key that signs at once, for the primary digital key', async () => {
    const answer = await service.call(ada, 'POST', '/keys', { keyName: 'Shop' });
    expect(answer.status).toBe(201);
    const key = readData<CreatedKey>(answer);
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      keyName: 'Shop',
      apiKey: expect.any(String),
      secretKey: expect.any(String),
      tokenId: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Buffer.from(key.apiKey, 'base64').toString()).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(Buffer.from(key.secretKey ?? '', 'base64').toString()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect((await use(key)).status).toBe(200);
  });

  it('keeps the secret nowhere', async () => {
    const key = await create(ada, { keyName: 'Secret' });
    const secret = Buffer.from(key.secretKey ?? '', 'base64').toString();
    const [row] = await runSql<{ row: string }>(
      service.ownerUrl,
      'SELECT api_keys::text AS row FROM keyfront.api_keys WHERE id = $1',
      [key.id],
    );
    const body = secret.replaceAll(/-----[^-]+-----|\s/g, '');
    for (const trace of [key.secretKey ?? '', body, Buffer.from(body, 'base64').toString('hex')]) {
      expect(row?.row).not.toContain(trace);
      expect(service.logLines.join('')).not.toContain(trace);
    }
  });

  it('takes label as another name of keyName', async () => {
    expect(await create(ada, { label: 'Labelled' })).toMatchObject({ keyName: 'Labelled' });
    expect(await create(ada, { keyName: 'Name', label: 'Label' })).toMatchObject({ keyName: 'Name' });
  });

  it('takes a public key of the builder, and makes no secret then', async () => {
    const own = makeOpensslKey(service.folder, 'own');
    const key = await create(ada, { keyName: 'Mine', publicKey: own.apiKey });
    expect(key.secretKey).toBeNull();
    const signature = signWithOpenssl(own, '{}');
    const answer = await curl(
      ...['--header', `x-auth-apikey: ${own.apiKey}`, '--header', `x-auth-signature: ${signature}`],
      `${service.base}/planets`,
    );
    expect(answer.status).toBe(200);
    // Twice by its owner, or once more by another: the same answer.
    for (const token of [ada, ben]) {
      const again = await service.call(token, 'POST', '/keys', { keyName: 'Again', publicKey: own.apiKey });
      expect(again.json).toMatchObject({
        statusCode: 403,
        message: 'This public key cannot be registered: create a new one',
      });
    }
  });

  it('rejects what is no name and what is no key', async () => {
    const complain = async (body: unknown) => (await service.call(ada, 'POST', '/keys', body)).json;
    expect(await complain({})).toMatchObject({ statusCode: 400, data: ['keyName is required'] });
    expect(await complain({ keyName: '' })).toMatchObject({ data: ['keyName should not be empty'] });
    expect(await complain({ keyName: 'x'.repeat(101) })).toMatchObject({
      data: ['keyName must be shorter than or equal to 100 characters'],
    });
    const p256 = makeOpensslKey(service.folder, 'p256', 'prime256v1').apiKey;
    for (const publicKey of [p256, 'nonsense', Buffer.from('x').toString('base64')]) {
      expect(await complain({ keyName: 'x', publicKey })).toMatchObject({
        statusCode: 400,
        data: [expect.stringMatching(/^publicKey /)],
      });
    }
  });

  it('stops at 100 live keys, also when many are made at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 110 }, (_, index) =>
        service.call(ben, 'POST', '/keys', { keyName: `Key ${index}` }),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === 403);
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.json).toMatchObject({
      message: 'A holder has at most 100 live keys: revoke one first',
    });
    const [
      {
        keys: [first],
      },
    ] = [readData<KeyPage>(await service.call(ben, 'GET', '/keys?take=1'))];
    await service.call(ben, 'DELETE', `/keys/${first?.id}`);
    expect((await service.call(ben, 'POST', '/keys', { keyName: 'One more' })).status).toBe(201);
  });
});

describe('GET /keys', () => {
  it('lists the holder’s keys, the newest first, and nobody else’s', async () => {
    const made = await create(ada, { keyName: 'Newest' });
    const page = readData<KeyPage>(await service.call(ada, 'GET', '/keys?take=1000'));
    expect(page.keys[0]).toEqual({
      id: made.id,
      keyName: 'Newest',
      apiKey: made.apiKey,
      tokenId: 1,
      createdAt: made.createdAt,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(page.keys.every(({ tokenId }) => tokenId === 1)).toBe(true);
    expect(page.pageMetaDto).toMatchObject({ page: 1, take: 1000, itemCount: page.keys.length });
    const second = readData<KeyPage>(await service.call(ada, 'GET', '/keys?page=2&take=1'));
    expect(second.keys).toEqual([page.keys[1]]);
  });
});

describe('PATCH /keys/{id}', () => {
  it('renames the key', async () => {
    const { id } = await create(ada, { keyName: 'Before' });
    const renamed = await service.call(ada, 'PATCH', `/keys/${id}`, { keyName: 'After' });
    expect(readData<ApiKey>(renamed)).toMatchObject({ id, keyName: 'After', revokedAt: null });
  });

  it('is 403 for another’s key, 404 for none, 400 for what is no id', async () => {
    const { id } = await create(ada, { keyName: 'Ada’s' });
    const status = async (path: string) => (await service.call(ben, 'PATCH', path, { keyName: 'x' })).json;
    expect(await status(`/keys/${id}`)).toMatchObject({
      statusCode: 403,
      message: 'The key belongs to another holder',
    });
    expect(await status('/keys/019a8f3e-7c00-7000-8000-000000000001')).toMatchObject({ statusCode: 404 });
    expect(await status('/keys/7')).toMatchObject({ statusCode: 400, data: ['id must be a UUID'] });
  });
});

describe('DELETE /keys/{id}', () => {
  it('revokes at once, and says the same when asked again', async () => {
    const key = await create(ada, { keyName: 'Short-lived' });
    expect((await use(key)).status).toBe(200);
    const revoked = readData<ApiKey>(await service.call(ada, 'DELETE', `/keys/${key.id}`));
    expect(revoked.revokedAt).toMatch(/Z$/);
    expect((await use(key)).status).toBe(401);
    expect(readData<ApiKey>(await service.call(ada, 'DELETE', `/keys/${key.id}`))).toEqual(revoked);
  });

  it('does not touch another’s key', async () => {
    const key = await create(ada, { keyName: 'Kept' });
    expect((await service.call(ben, 'DELETE', `/keys/${key.id}`)).status).toBe(403);
    expect((await service.call(ben, 'DELETE', '/keys/019a8f3e-7c00-7000-8000-000000000001')).status).toBe(
      404,
    );
    expect((await use(key)).status).toBe(200);
  });
});

describe('a key', () => {
  it('dies when its digital key changes hands', async () => {
    const key = await create(ada, { keyName: 'Sold' });
    expect((await use(key)).status).toBe(200);
    await runSql(
      service.ownerUrl,
      `SET search_path = keyfront;
       BEGIN;
       UPDATE holders SET primary_token_id = 2 WHERE primary_token_id = 1;
       UPDATE digital_keys SET holder_id = (SELECT holder_id FROM digital_keys WHERE token_id = 3) WHERE token_id = 1;
       COMMIT`,
    );
    await expect.poll(async () => (await use(key)).status).toBe(401);
    await runSql(
      service.ownerUrl,
      `SET search_path = keyfront;
       UPDATE digital_keys SET holder_id = (SELECT holder_id FROM digital_keys WHERE token_id = 2) WHERE token_id = 1;
       UPDATE holders SET primary_token_id = 1 WHERE primary_token_id = 2`,
    );
  });

  it('has the time of its last use written, without a request waiting for it', async () => {
    const { KeyUses } = await import('./key-uses.ts');
    const { writeKeyUses } = await import('./key-queries.ts');
    const key = await create(ada, { keyName: 'Used' });
    const uses = new KeyUses((batch) => writeKeyUses(service.database, batch));
    uses.note(key.id);
    uses.note(key.id);
    await uses.flush();
    const page = readData<KeyPage>(await service.call(ada, 'GET', '/keys?take=1'));
    expect(page.keys[0]?.lastUsedAt).toMatch(/Z$/);
  });
});
