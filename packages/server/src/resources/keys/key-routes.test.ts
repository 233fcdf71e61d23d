import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey, CreatedKey, KeyPage } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl } from '../../../../../test/support/curl.ts';
import { type GuardedApp, readData, startGuardedApp } from '../../../../../test/support/guarded-app.ts';
import { makeOpensslKey, type OpensslKey, signWithOpenssl } from '../../../../../test/support/openssl.ts';
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

interface Proven {
  readonly wallet?: string;
  readonly publicKey?: string;
  readonly issuedAt?: string;
}

/** The text of a proof, written without our own code. */
const proofText = (key: OpensslKey, { wallet, publicKey, issuedAt }: Proven) =>
  [
    'Keyfront API key',
    `Wallet: ${(wallet ?? service.ada.address).toLowerCase()}`,
    `Public key: ${publicKey ?? key.apiKey}`,
    `Time: ${issuedAt}`,
  ].join('\n');

function prove(key: OpensslKey, { issuedAt = new Date().toISOString(), ...proven }: Proven = {}) {
  return { issuedAt, signature: signWithOpenssl(key, proofText(key, { issuedAt, ...proven })) };
}

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
      signatures: 'any',
      scopes: null,
      expiresAt: null,
      allowedNetworks: null,
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
    expect(await create(ada, { keyName: 'Name', label: 'Name' })).toMatchObject({ keyName: 'Name' });
  });

  it('registers a public key of the builder with a proof of possession, without a secret key', async () => {
    const own = makeOpensslKey(service.folder, 'own');
    const body = { keyName: 'Mine', publicKey: own.apiKey, proof: prove(own) };
    const key = await create(ada, body);
    expect(key.secretKey).toBeNull();
    const signature = signWithOpenssl(own, '{}');
    const answer = await curl(
      ...['--header', `x-auth-apikey: ${own.apiKey}`, '--header', `x-auth-signature: ${signature}`],
      `${service.base}/planets`,
    );
    expect(answer.status).toBe(200);
    // The same proof again, and one of another holder who has the secret key as well.
    const ofBen = prove(own, { wallet: service.ben.address });
    for (const [token, proof] of [
      [ada, body.proof],
      [ben, ofBen],
    ] as const) {
      const again = await service.call(token, 'POST', '/keys', { ...body, keyName: 'Again', proof });
      expect(again.json).toMatchObject({
        statusCode: 403,
        code: 'PUBLIC_KEY_REFUSED',
        message: 'This public key cannot be registered: create a new one',
      });
    }
  });

  it('rejects the same public key and proof after the key was revoked', async () => {
    const own = makeOpensslKey(service.folder, 'once');
    const body = { keyName: 'Once', publicKey: own.apiKey, proof: prove(own) };
    const { id } = await create(ada, body);
    await service.call(ada, 'DELETE', `/keys/${id}`);
    expect((await service.call(ada, 'POST', '/keys', body)).json).toMatchObject({
      statusCode: 403,
      code: 'PUBLIC_KEY_REFUSED',
    });
  });

  describe('a public key without a valid proof', () => {
    let own: OpensslKey;
    let other: OpensslKey;
    beforeAll(() => {
      own = makeOpensslKey(service.folder, 'proven');
      other = makeOpensslKey(service.folder, 'foreign');
    });
    const refusal = async (proof: unknown, publicKey = own.apiKey) => {
      const { json } = await service.call(ada, 'POST', '/keys', { keyName: 'Mine', publicKey, proof });
      return json as { statusCode: number; code: string; message: string; data: unknown };
    };
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

    it('is a 400 if the proof is missing or malformed', async () => {
      const issuesOf = async (proof: unknown) => (await refusal(proof)).data;
      expect(await issuesOf(undefined)).toEqual(['proof is required with publicKey']);
      expect(await issuesOf('yes')).toEqual(['proof must be an object']);
      expect(await issuesOf({})).toEqual(['proof.issuedAt is required', 'proof.signature is required']);
      const { signature } = prove(own);
      for (const issuedAt of ['yesterday', '2026-11-15', '2026-11-15T09:30:00', '2026-13-45T99:99:99Z', '']) {
        expect(await issuesOf({ issuedAt, signature }), issuedAt).toEqual([
          expect.stringMatching(/^proof\.issuedAt (must be|should not be)/),
        ]);
      }
      expect(await issuesOf({ issuedAt: minutesAgo(0), signature: 'abc!' })).toEqual([
        expect.stringMatching(/^proof\.signature must be Base64/),
      ]);
    });

    it('is a 400 if a proof comes without a public key', async () => {
      const { json } = await service.call(ada, 'POST', '/keys', { keyName: 'Mine', proof: prove(own) });
      expect(json).toMatchObject({ statusCode: 400, data: ['proof is for your own publicKey only'] });
    });

    it('is refused if another key has signed', async () => {
      const stolen = await refusal(prove(other, { publicKey: own.apiKey }));
      expect(stolen).toMatchObject({ statusCode: 403, code: 'KEY_PROOF_INVALID' });
      expect(stolen.message).toContain('proof.signature');
    });

    it('is refused if the proof names another wallet, public key, time or text', async () => {
      const issuedAt = minutesAgo(0);
      for (const [name, proof] of Object.entries({
        wallet: prove(own, { wallet: service.ben.address }),
        'public key': prove(own, { publicKey: other.apiKey }),
        time: { ...prove(own), issuedAt: minutesAgo(1) },
        'a signed request': { issuedAt, signature: signWithOpenssl(own, '{}') },
        'line break at the end': {
          issuedAt,
          signature: signWithOpenssl(own, `${proofText(own, { issuedAt })}\n`),
        },
      })) {
        expect(await refusal(proof), name).toMatchObject({ statusCode: 403, code: 'KEY_PROOF_INVALID' });
      }
    });

    it('is refused if the proof is older than five minutes or from the future', async () => {
      for (const minutes of [-6, 6, 60 * 24]) {
        const refused = await refusal(prove(own, { issuedAt: minutesAgo(minutes) }));
        expect(refused).toMatchObject({ statusCode: 403, code: 'KEY_PROOF_INVALID' });
        expect(refused.message).toContain('five minutes');
      }
      // The public key is still free: none of the refused proofs has registered it.
      const proof = prove(own, { issuedAt: minutesAgo(4) });
      await create(ada, { keyName: 'Mine', publicKey: own.apiKey, proof });
    });
  });

  it('rejects an invalid name and an invalid public key', async () => {
    const complain = async (body: unknown) => (await service.call(ada, 'POST', '/keys', body)).json;
    expect(await complain({})).toMatchObject({ statusCode: 400, data: ['keyName is required'] });
    for (const blank of ['', '  ']) {
      expect(await complain({ keyName: blank })).toMatchObject({ data: ['keyName should not be empty'] });
      expect(await complain({ label: blank })).toMatchObject({ data: ['label should not be empty'] });
    }
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

  it('stops at 100 live keys, also when many are made at once', { tags: ['long'] }, async () => {
    const createMany = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          service.call(ben, 'POST', '/keys', { keyName: `Key ${index}` }),
        ),
      );
    // In two parts: more than a hundred requests of one wallet at a time are too many.
    const outcomes = [...(await createMany(55)), ...(await createMany(55))];
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

    // A rotation without an overlap adds no live key, and one with an overlap does.
    const { keys } = readData<KeyPage>(await service.call(ben, 'GET', '/keys?take=5'));
    const live = keys.filter(({ revokedAt }) => revokedAt === null);
    const rotate = ({ id = '' } = {}, body: object = {}) =>
      service.call(ben, 'POST', `/keys/${id}/rotate`, body);
    expect((await rotate(live[0])).json).toMatchObject({ statusCode: 403, code: 'API_KEY_LIMIT_REACHED' });
    const rotated = await Promise.all(
      [live[0], live[0], live[1], live[2]].map((key) => rotate(key, { overlapSeconds: 0 })),
    );
    expect(rotated.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403]);
    const [{ count } = { count: 0 }] = await runSql<{ count: number }>(
      service.ownerUrl,
      `SELECT count(*)::int FROM keyfront.api_keys JOIN keyfront.holders ON holders.id = holder_id
       WHERE wallet_address = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
      [service.ben.address.toLowerCase()],
    );
    expect(count).toBe(100);
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
      signatures: 'any',
      scopes: null,
      expiresAt: null,
      allowedNetworks: null,
      successorId: null,
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
    // A job may write the last use in between.
    const { lastUsedAt: _lastUse, ...same } = revoked;
    expect(readData<ApiKey>(await service.call(ada, 'DELETE', `/keys/${key.id}`))).toMatchObject(same);
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
