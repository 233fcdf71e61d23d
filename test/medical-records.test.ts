import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '@keyfront/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { rotateDataKey } from '../packages/server/src/boot/jobs/rotate-data-key.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { createDataCipher, type DataCipher } from '../packages/server/src/lib/encryption/data-cipher.ts';
import { medicalRecordTable } from '../packages/server/src/resources/clients/medical-record-queries.ts';
import { dumpDatabase } from './support/dump-database.ts';
import { dataOf, openCallers, startStorefrontService, type TestCaller } from './support/storefront.ts';
import { insertCart, insertStrain } from './support/storefront-data.ts';

const [firstKey, secondKey] = [randomBytes(32), randomBytes(32)];
const first = createDataCipher({ key: firstKey, previousKey: null });
const rotated = createDataCipher({ key: secondKey, previousKey: firstKey });
const second = createDataCipher({ key: secondKey, previousKey: null });

/** As after a start with other keys. */
let cipher: DataCipher = first;
const storefront = await startStorefrontService((url) => new ChangeFeed({ url }), {
  dataCipher: {
    get keyId() {
      return cipher.keyId;
    },
    get previousKeyId() {
      return cipher.previousKeyId;
    },
    encrypt: (...values) => cipher.encrypt(...values),
    decrypt: (...values) => cipher.decrypt(...values),
  },
});
const { holder, sibling, admin, sql } = await openCallers(storefront);
const { database, logLines } = storefront.service;
const { signal } = new AbortController();

beforeEach(() => {
  cipher = first;
});

type Details = Client & { medicalRecord: Record<string, unknown> | null };

const create = async (fields: object, caller: TestCaller = holder): Promise<string> => {
  const body = { firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org`, ...fields };
  return dataOf<Client>(await caller.ask('POST', '/dapp/clients', { body })).id;
};
/** Reads a client, and the record as it was sent: without the `createdAt` that the service adds. */
const read = async (id: string) => {
  const { medicalRecord, ...client } = dataOf<Details>(await holder.ask('GET', `/dapp/clients/${id}`));
  if (medicalRecord === null) return { ...client, medicalRecord };
  const { createdAt, ...sent } = medicalRecord;
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return { ...client, medicalRecord: sent };
};
const update = async (id: string, body: object) =>
  dataOf<Client>(await holder.ask('PATCH', `/dapp/clients/${id}`, { body }));
const keyOf = async (id: string) =>
  (await sql<{ key_id: string }>('SELECT key_id FROM medical_records WHERE client_id = $1', [id]))[0]?.key_id;

describe('a medical record', () => {
  it('is returned as it was sent, whatever is inside', async () => {
    const medicalRecord = {
      allergies: ['penicillin', 'café au lait', '🌱'],
      history: { since: 1999, weight: 71.5, isSmoker: false, notes: null, '': [], deep: [[{ a: [1e-7] }]] },
      constructor: 'a name like any other',
    };
    const id = await create({ medicalRecord });
    expect((await read(id)).medicalRecord).toEqual(medicalRecord);
  });

  const exact =
    '{"id":12345678901234567890,"dose":1.10,"tiny":0.1000000000000000055511151231257827,"huge":1E400,"zero":-0,' +
    '"10":"b","2":"a","text":"\\u00e9\\/ , : {","list":[{"n":9007199254740993},[],{}],"none":null}';
  const spaced = exact.replaceAll(/("(?:[^"\\]|\\.)*")|([,:])/g, (_, text, mark) => text ?? ` ${mark}\n\t`);
  const readText = async (id: string) => (await holder.ask('GET', `/dapp/clients/${id}`)).text;

  it.each([
    ['compact', exact],
    ['with white space', spaced],
  ])(
    'is returned to the digit, %s: created, changed, and after a rotation of the key',
    async (_form, sent) => {
      const expected = `"medicalRecord":${exact.slice(0, -1)},"createdAt":"20`;
      const fields = `"firstName":"Ada","lastName":"Example","email":"${randomUUID()}@example.org"`;
      const body = `{${fields},"medicalRecord" : ${sent}, "title":"Dr"}`;
      const { id } = dataOf<Client>(await holder.ask('POST', '/dapp/clients', { body }));
      expect(await readText(id)).toContain(expected);
      const changed = await holder.ask('PATCH', `/dapp/clients/${id}`, {
        body: `{"medicalRecord":${sent.replace('1.10', '1.20')}}`,
      });
      expect(changed.status).toBe(200);
      expect(await readText(id)).toContain(expected.replace('1.10', '1.20'));
      cipher = rotated;
      await medicalRecordTable.rotate(database, rotated, signal);
      expect(await keyOf(id)).toBe(rotated.keyId);
      expect(await readText(id)).toContain(expected.replace('1.10', '1.20'));
      const reading = await holder.ask('POST', `/dapp/clients/${id}/medical-record`, {
        body: { reason: 'A test' },
      });
      expect(reading.text).toContain(`{"medicalRecord":${exact.replace('1.10', '1.20')}}`);
    },
  );

  it('tells when the client got it, also after a change, unless it has a createdAt of its own', async () => {
    const readCreatedAt = async (id: string) =>
      dataOf<Details>(await holder.ask('GET', `/dapp/clients/${id}`)).medicalRecord?.createdAt;
    const before = new Date().toISOString();
    const id = await create({ medicalRecord: { one: 1 } });
    const createdAt = await readCreatedAt(id);
    expect(String(createdAt) >= before && String(createdAt) <= new Date().toISOString()).toBe(true);
    await update(id, { medicalRecord: { nested: { createdAt: 'of the inside' } } });
    expect(await readCreatedAt(id)).toBe(createdAt);
    for (const own of ['2001-01-01', '', 7, null, { nested: true }]) {
      await update(id, { medicalRecord: { one: 1, createdAt: own } });
      expect(await readCreatedAt(id)).toEqual(own);
    }
    await update(id, { medicalRecord: null });
    await update(id, { medicalRecord: {} });
    expect(String(await readCreatedAt(id)) > String(createdAt)).toBe(true);
  });

  it('is null without one, and may be empty', async () => {
    expect((await read(await create({}))).medicalRecord).toBeNull();
    expect((await read(await create({ medicalRecord: null }))).medicalRecord).toBeNull();
    expect((await read(await create({ medicalRecord: {} }))).medicalRecord).toEqual({});
  });

  it('is replaced as a whole, kept by other changes, and removed', async () => {
    const id = await create({ medicalRecord: { one: 1, two: 2 } });
    await update(id, { medicalRecord: { three: 3 } });
    expect((await read(id)).medicalRecord).toEqual({ three: 3 });
    await update(id, { firstName: 'Grace' });
    expect(await read(id)).toMatchObject({ firstName: 'Grace', medicalRecord: { three: 3 } });
    await update(id, { medicalRecord: null });
    expect((await read(id)).medicalRecord).toBeNull();
    expect(await sql('SELECT FROM medical_records WHERE client_id = $1', [id])).toEqual([]);
    await update(id.toUpperCase(), { medicalRecord: { four: 4 }, lastName: 'Hopper' });
    expect(await read(id)).toMatchObject({ lastName: 'Hopper', medicalRecord: { four: 4 } });
  });

  it('is not stored if another part of the change is refused', async () => {
    const email = `${randomUUID()}@example.org`;
    await create({ email });
    const id = await create({ medicalRecord: { one: 1 } });
    const change = { medicalRecord: { two: 2 }, email };
    const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body: change });
    expect(reply.envelope.code).toBe('EMAIL_TAKEN');
    expect((await read(id)).medicalRecord).toEqual({ one: 1 });
    const unknown = await holder.ask('PATCH', `/dapp/clients/${randomUUID()}`, { body: change });
    expect(unknown.status).toBe(404);
  });

  it.each([
    ['text', 'medicalRecord must be an object or null'],
    [[], 'medicalRecord must be an object or null'],
    [7, 'medicalRecord must be an object or null'],
    // Two bytes for each letter, and eleven for the rest.
    [{ note: 'é'.repeat(32_763) }, 'medicalRecord must not be larger than 65536 bytes'],
  ])('is refused when it is %.20j', async (medicalRecord, issue) => {
    const body = {
      firstName: 'Ada',
      lastName: 'Example',
      email: `${randomUUID()}@example.org`,
      medicalRecord,
    };
    for (const [method, path] of [
      ['POST', '/dapp/clients'],
      ['PATCH', `/dapp/clients/${await create({})}`],
    ] as const) {
      const reply = await holder.ask(method, path, { body });
      expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
    }
  });

  it('may have 64 KiB', async () => {
    const medicalRecord = { note: `a${'é'.repeat(32_762)}` };
    expect(Buffer.byteLength(JSON.stringify(medicalRecord))).toBe(65_536);
    expect((await read(await create({ medicalRecord }))).medicalRecord).toEqual(medicalRecord);
  });
});

it('is nowhere but in the response to reading that one client', async () => {
  const marker = `x${randomBytes(9).toString('hex')}`;
  const medicalRecord = { diagnosis: marker };
  const contact = { firstName: 'Visible', lastName: 'Example', email: `${randomUUID()}@example.org` };
  logLines.length = 0;
  const created = await holder.ask('POST', '/dapp/clients', {
    body: { ...contact, medicalRecord },
    headers: { 'idempotency-key': marker.slice(1) },
  });
  const { id } = dataOf<Client>(created);
  const change = { body: { medicalRecord: { ...medicalRecord, again: marker } } };
  const updated = await holder.ask('PATCH', `/dapp/clients/${id}`, change);
  const approval = { adminApproval: 'VERIFIED', isKYCVerified: true };
  const approved = await admin.ask('PATCH', `/admin/clients/${id}`, { body: approval });
  const { id: strainId } = await insertStrain(sql);
  await insertCart(sql, holder.tokenId, id, [{ strainId, quantity: 1 }]);
  await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
  const everyOrder =
    'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
  const replies = [
    created,
    updated,
    approved,
    await holder.ask('PATCH', `/dapp/clients/${id}/deactivate`),
    await holder.ask('PATCH', `/dapp/clients/${id}/activate`),
    await holder.ask('GET', '/dapp/clients?take=1000'),
    await holder.ask('GET', '/dapp/clients?search=Visible'),
    await admin.ask('GET', '/admin/clients?take=1000'),
    await admin.ask('GET', '/admin/audit?take=1000'),
    await holder.ask('GET', '/dapp/carts?take=1000'),
    await holder.ask('GET', '/dapp/sales?take=1000'),
    await holder.ask('GET', '/dapp/orders?take=1000'),
    await holder.ask('GET', `/orders/export?${everyOrder}`),
    await holder.ask('GET', `/orders/export?${everyOrder}`, { headers: { accept: 'text/csv' } }),
    // Refused, with an error message that has to name what is wrong.
    await holder.ask('POST', '/dapp/clients', { body: { ...contact, medicalRecord } }),
    await holder.ask('POST', '/dapp/clients', { body: { ...contact, email: 'x', medicalRecord } }),
    await holder.ask('POST', '/dapp/clients', { body: { ...contact, medicalRecord: [marker] } }),
  ];
  for (const { text } of replies) expect(text).not.toContain(marker);
  for (const reply of replies.slice(0, -3))
    expect([reply.text, reply.status < 300]).toEqual([reply.text, true]);
  const found = await holder.ask('GET', `/dapp/clients?search=${marker}`);
  expect(dataOf<{ clients: unknown[] }>(found).clients).toEqual([]);

  const dump = await dumpDatabase(sql);
  expect(dump).toContain(contact.email);
  expect(logLines.length).toBeGreaterThan(replies.length - 2);
  for (const text of [marker, Buffer.from(marker).toString('base64').slice(0, 20)]) {
    expect(dump).not.toContain(text);
    expect(logLines.join('\n')).not.toContain(text);
  }
  expect((await read(id)).medicalRecord).toEqual(change.body.medicalRecord);
});

describe('a record that somebody changed in the database', () => {
  async function expectUnreadable(id: string): Promise<void> {
    const reply = await holder.ask('GET', `/dapp/clients/${id}`);
    expect(reply.status).toBe(500);
    expect(reply.envelope).toMatchObject({ code: 'INTERNAL_ERROR', data: null });
    expect(logLines.join('\n')).toContain(`The medical record of client ${id} cannot be decrypted`);
    // Lists do not read it.
    expect((await holder.ask('GET', '/dapp/clients?take=1000')).status).toBe(200);
  }

  it('is not read', async () => {
    const id = await create({ medicalRecord: { one: 1 } });
    await sql(
      `UPDATE medical_records SET ciphertext = set_byte(ciphertext, 13, get_byte(ciphertext, 13) # 1) WHERE client_id = $1`,
      [id],
    );
    await expectUnreadable(id);
  });

  it('is not read in the row of another client, of the same digital key or another', async () => {
    const owners = [
      await create({ medicalRecord: { of: 'one' } }),
      await create({ medicalRecord: { of: 'a sibling' } }, sibling),
    ];
    for (const owner of owners) {
      const id = await create({ medicalRecord: { of: 'another' } });
      await sql(
        `UPDATE medical_records SET ciphertext = moved.ciphertext FROM medical_records AS moved
         WHERE medical_records.client_id = $1 AND moved.client_id = $2`,
        [id, owner],
      );
      await expectUnreadable(id);
    }
  });
});

describe('after a change of the key', () => {
  it('records are readable, and are encrypted again until the previous key is not needed', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push(await create({ medicalRecord: { count } }));
    const [oldest = '', changed = ''] = ids;
    expect(await keyOf(oldest)).toBe(first.keyId);

    cipher = rotated;
    expect((await read(oldest)).medicalRecord).toEqual({ count: 0 });
    await update(changed, { medicalRecord: { count: 'changed' } });
    expect([await keyOf(oldest), await keyOf(changed)]).toEqual([first.keyId, second.keyId]);

    const [result] = await Promise.all([
      medicalRecordTable.rotate(database, rotated, signal),
      medicalRecordTable.rotate(database, rotated, signal),
    ]);
    expect(result.isComplete || result.failures.length > 0).toBe(true);
    cipher = second;
    const records = [];
    for (const id of ids) records.push((await read(id)).medicalRecord);
    expect(records).toEqual([{ count: 0 }, { count: 'changed' }, { count: 2 }]);
    for (const id of ids) expect(await keyOf(id)).toBe(second.keyId);
  });

  it('a record that cannot be decrypted is reported, and stops no other', async () => {
    await sql('DELETE FROM medical_records');
    const broken = await create({ medicalRecord: { one: 1 } });
    await sql(`UPDATE medical_records SET ciphertext = '\\x00' WHERE client_id = $1`, [broken]);
    const intact = await create({ medicalRecord: { two: 2 } });
    const { reencrypted, failures, isComplete } = await medicalRecordTable.rotate(database, rotated, signal);
    expect([reencrypted, isComplete]).toEqual([1, false]);
    expect(failures.map(({ message }) => message)).toEqual([
      `The medical record of client ${broken} cannot be decrypted`,
    ]);
    expect([await keyOf(broken), await keyOf(intact)]).toEqual([first.keyId, second.keyId]);
  });

  it('many records are encrypted again in batches', async () => {
    await sql('DELETE FROM medical_records');
    const id = await create({ medicalRecord: { one: 1 } });
    // Copies that nobody reads fail one by one; here it matters that each is visited once.
    await sql(
      `WITH copies AS (
         INSERT INTO clients (token_id, first_name, last_name, email)
         SELECT $2, 'Ada', 'Example', 'copy' || n || '@example.org' FROM generate_series(1, 120) AS n RETURNING id
       )
       INSERT INTO medical_records (client_id, token_id, key_id, ciphertext)
       SELECT copies.id, $2, key_id, ciphertext FROM copies, medical_records WHERE client_id = $1`,
      [id, holder.tokenId],
    );
    const { reencrypted, failures } = await medicalRecordTable.rotate(database, rotated, signal);
    expect([reencrypted, failures.length]).toEqual([1, 120]);
  });

  it('the log tells what happened', async () => {
    await sql('DELETE FROM medical_records');
    await create({ medicalRecord: { one: 1 } });
    const lines: string[] = [];
    const logger = { info: (text: unknown) => lines.push(String(text)), error: () => lines.push('error') };
    const job = rotateDataKey(rotated, logger as never);
    for (let run = 0; run < 3; run++) await job.work(database, signal);
    expect(lines).toEqual([
      'Encrypted 1 medical records with the current key',
      'No medical record needs the previous key any more',
      'No webhook secret needs the previous key any more',
    ]);
  });

  it('the service does not start without the key of a record', async () => {
    await sql('DELETE FROM medical_records');
    await medicalRecordTable.verifyKeys(database, null);
    await create({ medicalRecord: { one: 1 } });
    for (const known of [first, rotated]) await medicalRecordTable.verifyKeys(database, known);
    for (const unknown of [second, null]) {
      await expect(medicalRecordTable.verifyKeys(database, unknown)).rejects.toThrow(
        `The database has medical records that are encrypted with another key (key id ${first.keyId})`,
      );
    }
  });
});

describe('without a key', async () => {
  const plain = await openCallers(
    await startStorefrontService((url) => new ChangeFeed({ url }), { dataCipher: null }),
  );
  const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

  it('a record is refused, and clients without one are not', async () => {
    const ask = (method: string, path: string, content: object) =>
      plain.holder.ask(method, path, { body: content });
    const refused = await ask('POST', '/dapp/clients', { ...body, medicalRecord: { one: 1 } });
    expect(refused.status).toBe(403);
    expect(refused.envelope).toMatchObject({
      code: 'MEDICAL_RECORDS_DISABLED',
      message: 'This service cannot store medical records: its operator has set no encryption key',
    });
    expect(await plain.sql('SELECT FROM clients')).toEqual([]);
    const { id } = dataOf<Client>(await ask('POST', '/dapp/clients', { ...body, medicalRecord: null }));
    const path = `/dapp/clients/${id}`;
    expect((await ask('PATCH', path, { medicalRecord: {} })).envelope.code).toBe('MEDICAL_RECORDS_DISABLED');
    expect(dataOf<Details>(await plain.holder.ask('GET', path)).medicalRecord).toBeNull();
  });
});
