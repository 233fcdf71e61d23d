import { randomUUID } from 'node:crypto';
import { operationList } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openOperationRequests } from './support/operation-requests.ts';
import { openSandbox } from './support/storefront.ts';

const storefront = await openSandbox();
const { holder, sql } = storefront;
const requests = await openOperationRequests(storefront, 1);
const changes = operationList.filter(({ access, method }) => access === 'credential' && method !== 'GET');

const storedNonces = async () => {
  const [row] = await sql<{ count: number }>('SELECT count(*)::int FROM request_nonces');
  return row?.count ?? 0;
};

it.each(changes)('a captured $id changes something once', async ({ id, status }) => {
  const send = await requests.prepare(id, { as: 'bound' });
  const before = await storedNonces();
  expect((await send()).status).toBe(status);
  expect(await storedNonces()).toBe(before + 1);
  const repeated = await send();
  expect([repeated.status, repeated.envelope.code]).toEqual([401, 'SIGNATURE_INVALID']);
  expect(repeated.headers.get('www-authenticate')).toContain('the nonce was used before');
});

it('a stored response to an Idempotency-Key is for new nonces only', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` };
  const prepare = () => holder.bound.prepare('POST', '/dapp/clients', { body, headers });
  const [first, retry] = [prepare(), prepare()];
  expect((await first()).status).toBe(201);
  expect((await first()).status).toBe(401);
  const replayed = await retry();
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect((await retry()).status).toBe(401);
});

it('a read stores nothing', async () => {
  const before = await storedNonces();
  const send = await requests.prepare('listOrders', { caller: holder.bound });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  expect(await storedNonces()).toBe(before);
});
