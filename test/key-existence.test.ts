import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { fingerprintOf, signBound } from './support/sign-bound.ts';
import { runSql } from './support/test-database.ts';
import { testOperation } from './support/test-operation.ts';

let service: GuardedApp;
/** Somebody who knows the names of keys and has none of their secrets. */
const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const body = '{"name":"Ada"}';

interface NamedKey {
  readonly key: KeyObject;
  readonly id: string;
}
const keys: Record<string, NamedKey> = {};

beforeAll(async () => {
  service = await startGuardedApp((router) => {
    const things = { path: '/test/things', response: Type.Null() } as const;
    router.add(testOperation({ ...things, method: 'GET', id: 'getThings' }), () => null);
    const schema = Type.Object({ name: Type.String() });
    router.add(testOperation({ ...things, method: 'POST', id: 'postThings', body: schema }), () => null);
  });
  const states = {
    valid: {},
    revoked: { revoked_at: '2026-01-01' },
    expired: { expires_at: '2026-01-01' },
    'of another network': { allowed_networks: '{192.0.2.0/24}' },
    'for bound signatures': { signatures: 'bound' },
  };
  for (const [state, columns] of Object.entries(states)) keys[state] = await insertKey(columns);
  keys.unknown = { key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey, id: randomUUID() };
});
afterAll(() => service.close());

async function insertKey(columns: Readonly<Record<string, string>>): Promise<NamedKey> {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const names = Object.keys(columns).map((name) => `, ${name}`);
  const values = Object.keys(columns).map((_, at) => `, $${at + 2}`);
  const [row] = await runSql<{ id: string }>(
    service.ownerUrl,
    `INSERT INTO keyfront.api_keys (holder_id, token_id, key_name, public_key${names.join('')})
     SELECT holder_id, token_id, 'Probed', $1${values.join('')} FROM keyfront.digital_keys WHERE token_id = 1
     RETURNING id`,
    [spki, ...Object.values(columns)],
  );
  return { key, id: row?.id ?? '' };
}

async function send(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${service.base}/test/things`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body } : {}),
  });
  const names = [...response.headers.keys()].filter((name) => name !== 'date');
  return { status: response.status, envelope: await response.json(), headers: names.toSorted() };
}

const states = ['valid', 'revoked', 'expired', 'of another network', 'for bound signatures', 'unknown'];
const keyOf = (state: string) => keys[state] as NamedKey;
const created = Math.floor(Date.now() / 1000);
const nonce = randomUUID();

describe.each(['GET', 'POST'] as const)('whether a key exists is not told for a %s', (method) => {
  const content = method === 'POST' ? { body } : {};

  it('by a wrong simple signature', async () => {
    const signature = sign('sha256', Buffer.from('x'), stranger).toString('base64');
    const answers = [];
    for (const state of states) {
      const pem = createPublicKey(keyOf(state).key).export({ type: 'spki', format: 'pem' });
      const apiKey = Buffer.from(pem).toString('base64');
      answers.push(await send(method, { 'x-auth-apikey': apiKey, 'x-auth-signature': signature }));
    }
    expect(answers[0]?.envelope).toMatchObject({ statusCode: 401, code: 'SIGNATURE_INVALID' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it.each(['fingerprint', 'id'] as const)('by a wrong bound signature with the %s', async (name) => {
    const url = `${service.base}/test/things`;
    const answers = [];
    for (const state of states) {
      const { key, id } = keyOf(state);
      const keyid = name === 'id' ? id : fingerprintOf(key);
      // Twice: a key that was found before is cached.
      for (let time = 0; time < 2; time++) {
        const signed = signBound(stranger, { method, url, ...content }, { keyid, created, nonce });
        const answer = await send(method, signed);
        // The reason shows the signature base, which names the key.
        answers.push(JSON.parse(JSON.stringify(answer).replaceAll(keyid, 'key')));
      }
    }
    expect(answers[0]?.envelope).toMatchObject({ statusCode: 401, code: 'SIGNATURE_INVALID' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('until the signature is valid', async () => {
    const url = `${service.base}/test/things`;
    const sendBound = (state: string) =>
      send(method, signBound(keyOf(state).key, { method, url, ...content }));
    expect((await sendBound('valid')).status).toBe(200);
    expect((await sendBound('expired')).envelope).toMatchObject({ code: 'API_KEY_EXPIRED' });
    expect((await sendBound('of another network')).envelope).toMatchObject({ code: 'NETWORK_NOT_ALLOWED' });
    // Nobody can verify these: the service does not have the keys.
    for (const state of ['revoked', 'unknown']) {
      expect((await sendBound(state)).envelope).toMatchObject({ code: 'SIGNATURE_INVALID' });
    }
    for (const state of ['revoked', 'unknown']) {
      const { key } = keyOf(state);
      const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
      const signature = sign('sha256', Buffer.from(method === 'POST' ? body : '{}'), key).toString('base64');
      const apiKey = Buffer.from(pem).toString('base64');
      const answer = await send(method, { 'x-auth-apikey': apiKey, 'x-auth-signature': signature });
      expect(answer.envelope).toMatchObject({ code: 'API_KEY_UNKNOWN' });
    }
  });
});
