import { randomUUID } from 'node:crypto';
import { isGuarded, type Operation, operationList, takesIdempotencyKey } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { readBytes } from './support/dump-database.ts';
import { openOperationRequests } from './support/operation-requests.ts';
import { type Markers, plantMarkers } from './support/plant-markers.ts';
import { dataOf, openSandbox } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

/** What is stored for an `Idempotency-Key`. Adding an operation to the table adds it to these tests. */

const storefront = await openSandbox();
const { holder, sql } = storefront;
const requests = await openOperationRequests(storefront, 1);

/** What the service has stored for the keys, as text, with what it would be without its compression. */
async function readStored(): Promise<string[]> {
  const rows = await sql<{ body: Buffer }>('SELECT body FROM idempotency_keys');
  return rows.map(({ body }) => readBytes(body).join('\n'));
}

const posts = operationList
  .filter(({ method, access, upload }) => method === 'POST' && isGuarded(access) && !upload)
  .map((operation) => [operation.id, operation] as const);

async function sendWithMarkers(operation: Operation, idempotencyKey: string, markers: Markers) {
  const planted = plantMarkers(operation, 'body', markers);
  const send = await requests.prepare(operation.id, {
    idempotencyKey,
    ...(operation.body ? { change: (body) => ({ ...body, ...planted }) } : {}),
  });
  return send();
}

describe('the response to a POST with an Idempotency-Key', () => {
  it.each(posts)('%s is stored encrypted, or not at all', async (_id, operation) => {
    const before = (await readStored()).length;
    const markers: Markers = new Map();
    const reply = await sendWithMarkers(operation, randomUUID(), markers);
    expect([reply.text, reply.status]).toEqual([reply.text, operation.status]);
    const stored = await readStored();
    expect(stored.length > before).toBe(takesIdempotencyKey(operation));
    const { data } = reply.envelope;
    // Also what the service has added, such as ids and secrets.
    const texts = [...markers.values(), ...textsOf(data).filter((text) => text.length >= 8)];
    const legible = texts.filter((text) => stored.some((each) => each.includes(text)));
    expect(legible).toEqual([]);
  });
});

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsOf);

it('is not stored with a medical record: each reading is one of its own, with its line in the audit log', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const path = `/dapp/clients/${id}`;
  const read = holder.prepare('POST', `${path}/medical-record`, {
    body: { reason: 'The client asked' },
    headers: { 'idempotency-key': randomUUID() },
  });
  const records = [];
  for (const allergy of ['penicillin', 'pollen']) {
    dataOf(await holder.ask('PATCH', path, { body: { medicalRecord: { allergy } } }));
    const reply = await read();
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
    records.push(dataOf<{ medicalRecord: object }>(reply).medicalRecord);
  }
  expect(records).toEqual([{ allergy: 'penicillin' }, { allergy: 'pollen' }]);
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toHaveLength(2);
  dataOf(await holder.ask('DELETE', `${path}?erase=true`));
  expect((await read()).status).toBe(404);
});
