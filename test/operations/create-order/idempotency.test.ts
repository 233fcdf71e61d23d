import { createHash, randomUUID } from 'node:crypto';
import type { OpenApiDocument } from '@keyfront/api-reference';
import type { OrderWithLines } from '@keyfront/protocol';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createResponseCipher } from '../../../packages/server/src/pipeline/idempotency/response-cipher.ts';
import { insertReadyClient, stockOf } from '../../support/order-data.ts';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { service, holder, stranger, sql } = await openStorefront();
const { tokenId } = holder;

const order = (clientId: string, key: string, caller: TestCaller = holder) =>
  caller.ask('POST', '/dapp/orders', { body: { clientId }, headers: { 'idempotency-key': key } });
const ordersOf = (clientId: string) => sql('SELECT id FROM orders WHERE client_id = $1', [clientId]);
const refill = (clientId: string, strainId: string, token = tokenId) =>
  insertCart(sql, token, clientId, [{ strainId, quantity: 1 }]);
const hashOf = (key: string) => createHash('sha256').update(key).digest();

describe('the same key with the same request', () => {
  it('repeats the first response byte for byte, and creates no second order', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId, { quantity: 2, stock: 10 });
    const key = randomUUID();
    const first = await order(clientId, key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    // There is something to order again, so that a second order would be possible.
    await refill(clientId, strainId);
    for (let round = 0; round < 3; round++) {
      const again = await order(clientId, key);
      expect(again.status).toBe(201);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await ordersOf(clientId)).toEqual([{ id: dataOf<OrderWithLines>(first).id }]);
    expect(await stockOf(sql, strainId)).toBe(8);
    expect(await sql('SELECT FROM sales WHERE client_id = $1', [clientId])).toHaveLength(1);
  });

  it('repeats the first response even if the order has changed since', async () => {
    const { clientId } = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    const first = await order(clientId, key);
    await sql(`UPDATE orders SET order_status = 'CANCELLED' WHERE client_id = $1`, [clientId]);
    await sql('UPDATE clients SET is_active = false WHERE id = $1', [clientId]);
    expect((await order(clientId, key)).text).toBe(first.text);
  });

  it('creates one order for concurrent requests', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId, { quantity: 1, stock: 10 });
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 10 }, () => order(clientId, key)));
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(replies.map(({ status }) => status))).toSatisfy((statuses: Set<number>) =>
      [...statuses].every((status) => status === 201 || status === 409),
    );
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await ordersOf(clientId)).toHaveLength(1);
    expect(await stockOf(sql, strainId)).toBe(9);
  });
});

describe('the same key after the secret of the service was replaced', () => {
  it('says that the order was created, and creates no second one', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    expect((await order(clientId, key)).status).toBe(201);
    await refill(clientId, strainId);
    const otherCipher = createResponseCipher({ secret: 'another secret', previousSecret: null });
    await sql('UPDATE idempotency_keys SET body = $2 WHERE key_hash = $1', [
      hashOf(key),
      otherCipher.encrypt('a context', Buffer.from('{}')),
    ]);
    const again = await order(clientId, key);
    expect(again.status).toBe(422);
    expect(again.envelope).toMatchObject({ code: 'IDEMPOTENCY_RESPONSE_UNREADABLE' });
    expect(await ordersOf(clientId)).toHaveLength(1);
  });
});

describe('the same key with another request', () => {
  const refusal = {
    success: false,
    statusCode: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key was used for another request: use a new one',
    data: null,
  };

  it('is rejected if the body differs, even by a space', async () => {
    const { clientId } = await insertReadyClient(sql, tokenId);
    const other = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    expect((await order(clientId, key)).status).toBe(201);
    expect((await order(other.clientId, key)).envelope).toEqual(refusal);
    const spaced = await holder.ask('POST', '/dapp/orders', {
      body: `{"clientId": "${clientId}"}`,
      headers: { 'idempotency-key': key },
    });
    expect(spaced.envelope).toEqual(refusal);
    expect(await ordersOf(other.clientId)).toEqual([]);
  });

  it('is rejected if the path differs', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    expect((await order(clientId, key)).status).toBe(201);
    const reply = await holder.ask('POST', '/dapp/carts', {
      body: { clientId, cartItems: [{ strainId, quantity: 1 }] },
      headers: { 'idempotency-key': key },
    });
    expect(reply.envelope).toEqual(refusal);
  });
});

it('scopes the key to the credential', async () => {
  const key = randomUUID();
  const mine = await insertReadyClient(sql, tokenId);
  const theirs = await insertReadyClient(sql, stranger.tokenId);
  const signed = dataOf<OrderWithLines>(await order(mine.clientId, key));
  await refill(mine.clientId, mine.strainId);
  const signedIn = await order(mine.clientId, key, holder.signedIn);
  const foreign = await order(theirs.clientId, key, stranger);
  for (const reply of [signedIn, foreign]) {
    expect(reply.status).toBe(201);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
  }
  const ids = [signed.id, dataOf<OrderWithLines>(signedIn).id, dataOf<OrderWithLines>(foreign).id];
  expect(new Set(ids).size).toBe(3);
  expect((await order(mine.clientId, key, holder.signedIn)).text).toBe(signedIn.text);
  expect((await order(theirs.clientId, key, stranger)).text).toBe(foreign.text);
});

describe('a key', () => {
  it('is not empty, and has 255 characters at most', async () => {
    const { clientId } = await insertReadyClient(sql, tokenId);
    const listIssues = async (key: string, id = clientId) => {
      const reply = await order(id, key);
      expect(reply.status).toBe(400);
      return reply.envelope.data;
    };
    expect(await listIssues('')).toEqual(['idempotency-key should not be empty']);
    expect(await listIssues('k'.repeat(256))).toEqual([
      'idempotency-key must be shorter than or equal to 255 characters',
    ]);
    expect(await listIssues('', 'x')).toEqual([
      'clientId must be a UUID',
      'idempotency-key should not be empty',
    ]);
    expect(await ordersOf(clientId)).toEqual([]);
    const first = await order(clientId, 'k'.repeat(255));
    expect(first.status).toBe(201);
    expect((await order(clientId, 'k'.repeat(255))).text).toBe(first.text);
  });

  it('differs from another in any character, also in capitals and at its very end', async () => {
    const key = randomUUID();
    const keys = [key, key.toUpperCase(), `${key}x`];
    const ids: string[] = [];
    for (const each of keys) {
      const { clientId } = await insertReadyClient(sql, tokenId);
      ids.push(dataOf<OrderWithLines>(await order(clientId, each)).id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is optional', async () => {
    const { clientId, strainId } = await insertReadyClient(sql, tokenId);
    const place = () => holder.ask('POST', '/dapp/orders', { body: { clientId } });
    const first = dataOf<OrderWithLines>(await place());
    await refill(clientId, strainId);
    expect(dataOf<OrderWithLines>(await place()).id).not.toBe(first.id);
  });

  it('can be reused after a 403', async () => {
    const { id: clientId } = await insertClient(sql, tokenId, { isActive: false });
    const strain = await insertStrain(sql);
    await refill(clientId, strain.id);
    const key = randomUUID();
    for (let round = 0; round < 2; round++) {
      const refused = await order(clientId, key);
      expect(refused.envelope).toMatchObject({ statusCode: 403, message: 'Client is not active' });
      expect(refused.headers.get('idempotent-replayed')).toBeNull();
    }
    expect(await sql('SELECT FROM idempotency_keys WHERE key_hash = $1', [hashOf(key)])).toEqual([]);
    await sql('UPDATE clients SET is_active = true WHERE id = $1', [clientId]);
    expect((await order(clientId, key)).status).toBe(201);
  });

  it('can be reused after a 400 or 404', async () => {
    const { clientId } = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    expect((await order('x', key)).status).toBe(400);
    expect((await order(randomUUID(), key)).status).toBe(404);
    expect((await order(clientId, key)).status).toBe(201);
  });

  it('can be reused after it has expired, also for another request', async () => {
    const mine = await insertReadyClient(sql, tokenId);
    const key = randomUUID();
    const expire = () =>
      sql(`UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key_hash = $1`, [
        hashOf(key),
      ]);
    const first = await order(mine.clientId, key);
    await expire();
    await refill(mine.clientId, mine.strainId);
    const second = await order(mine.clientId, key);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(dataOf<OrderWithLines>(second).id).not.toBe(dataOf<OrderWithLines>(first).id);
    expect((await order(mine.clientId, key)).text).toBe(second.text);
    await expire();
    const other = await insertReadyClient(sql, tokenId);
    const third = await order(other.clientId, key);
    expect(dataOf<OrderWithLines>(third).client.id).toBe(other.clientId);
    expect((await order(other.clientId, key)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('is stored for 24 hours, only as a hash', async () => {
    const { clientId } = await insertReadyClient(sql, tokenId);
    const key = `unmistakable ${randomUUID()}`;
    await order(clientId, key);
    const [kept] = await sql<{ hours: number; row: string }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours, kept::text AS row
       FROM idempotency_keys AS kept WHERE key_hash = $1`,
      [hashOf(key)],
    );
    expect(kept?.hours).toBe(24);
    expect(kept?.row).not.toContain(key);
    expect(kept?.row).not.toContain(Buffer.from(key).toString('hex'));
  });
});

it('that another request holds is told to come again, and is free when that one has ended', async () => {
  const { clientId } = await insertReadyClient(sql, tokenId);
  await order(clientId, randomUUID());
  const [earlier] = await sql<{ credential: string }>(
    `SELECT credential FROM idempotency_keys WHERE wallet_address = $1 AND credential <> wallet_address
     ORDER BY created_at DESC LIMIT 1`,
    [holder.walletAddress],
  );
  const { clientId: waiting } = await insertReadyClient(sql, tokenId);
  const key = randomUUID();
  const other = new pg.Client({ connectionString: service.ownerUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(`SELECT pg_advisory_xact_lock(hashtextextended($1 || encode($2, 'hex'), 0))`, [
      earlier?.credential,
      hashOf(key),
    ]);
    const reply = await order(waiting, key);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 409,
      code: 'IDEMPOTENCY_KEY_IN_USE',
      message: 'A request with this Idempotency-Key is still running: try again soon',
      data: null,
    });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await ordersOf(waiting)).toEqual([]);
    // Another key is not held up.
    const { clientId: free } = await insertReadyClient(sql, tokenId);
    expect((await order(free, randomUUID())).status).toBe(201);
    await other.query('ROLLBACK');
    expect((await order(waiting, key)).status).toBe(201);
  } finally {
    await other.end();
  }
});

it('is documented for every POST of a caller, with what it may answer, and for nothing else', async () => {
  const response = await fetch(`${service.origin}/api/v1/openapi.json`);
  const document = (await response.json()) as OpenApiDocument;
  const operations = Object.values(document.paths).flatMap((path) => Object.entries(path));
  const taking: string[] = [];
  for (const [method, { operationId, security, parameters = [], responses }] of operations) {
    const isTaking = parameters.some(
      ({ name, in: place }) => name === 'Idempotency-Key' && place === 'header',
    );
    // The webhook-id of a callback does the same for providers.
    const isCallback = security.some((scheme) => 'webhookId' in scheme);
    // An upload is stored under the name of its content.
    const isUpload = operationId === 'uploadImage';
    // Whoever has signed out twice has signed out.
    const isSignOut = operationId === 'signOut';
    // A read. Its response is never stored.
    const isRead = operationId === 'readMedicalRecord';
    const isChange = method === 'post' && !isCallback && !isUpload && !isSignOut && !isRead;
    expect(isTaking, operationId).toBe(isChange && security.length > 0);
    if (!isTaking) continue;
    taking.push(operationId);
    expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['409', '422']));
  }
  expect(taking).toEqual(expect.arrayContaining(['createOrder', 'createClient', 'addToCart', 'createKey']));
});
