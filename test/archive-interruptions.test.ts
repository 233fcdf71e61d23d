import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFolderStore } from '@keyfront/file-store';
import fc from 'fast-check';
import { afterAll, expect, inject, it } from 'vitest';
import { exportCsv, listFiles, openArchiving } from './support/order-archives.ts';
import { scaled } from './support/scale.ts';
import type { TestHolder } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

const folder = join(inject('runFolder'), `archives-${randomUUID()}`);
const shop = await openArchiving(createFolderStore(folder));
const { service, sql, archive, addWallet, addDigitalKey, admin } = shop;
afterAll(() => service.close());
const seed = Number(process.env.ARCHIVE_SEED ?? Math.floor(Math.random() * 2 ** 31));

interface Given {
  readonly createdAt: string;
  readonly orderStatus: string;
  readonly client: number;
  readonly amount: string;
}

/** Inserts orders of two clients, all at once. */
async function insertOrders({ tokenId }: TestHolder, given: readonly Given[]): Promise<void> {
  const clients = [await insertClient(sql, tokenId), await insertClient(sql, tokenId, { firstName: 'Zoë' })];
  await sql(
    `INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at)
     SELECT $1::bigint, ($2::uuid[])[1 + client], 'A-' || $1::bigint || '-' || place, "orderStatus", amount, place, 'EUR', "createdAt", "createdAt"
     FROM ROWS FROM (jsonb_to_recordset($3::jsonb)
       AS ("createdAt" timestamptz, "orderStatus" text, client int, amount numeric)) WITH ORDINALITY
       AS given ("createdAt", "orderStatus", client, amount, place)`,
    [tokenId, clients.map(({ id }) => id), JSON.stringify(given)],
  );
}

const day = (at: number) => new Date(Date.UTC(2023, 10, 1) + at).toISOString();

/** Every order is in the tables or in one recorded file, and every file is recorded. */
async function expectNothingLostOrDoubled(): Promise<void> {
  // Archived clients are not counted.
  const wrong = (await shop.findWrongCounters()).filter(({ problem }) => !problem.startsWith('client'));
  expect(wrong).toEqual([]);
  const records = await shop.listRecords();
  expect((await listFiles(folder)).sort()).toEqual(
    records.map(({ fileName }) => fileName.split('/').at(-1)).sort(),
  );
}

const steps = ['addDraft', 'put', 'find', 'archive', 'after'] as const;

it.each(steps)('loses and doubles nothing if it ends at the step %s of any file', async (step) => {
  const holder = await addWallet();
  // Three months, and a file for each.
  const given = Array.from({ length: 75 }, (_, at) => ({
    ...{ createdAt: day(at * 86_400_000), orderStatus: 'DELIVERED', client: at % 2, amount: '1.00' },
  }));
  await insertOrders(holder, given);
  const before = await exportCsv(holder, { orderBy: 'asc' });
  for (const number of [1, 2]) {
    let calls = 0;
    const fail = () => {
      if (++calls === number) throw new Error('It ends here');
    };
    const isOf = (name: string) => name.startsWith(`${holder.tokenId}/`);
    const run = archive({
      change: ({ source, store }) => ({
        source: {
          ...source,
          addDraft: async (tokenId, fileName) => {
            await source.addDraft(tokenId, fileName);
            if (step === 'addDraft') fail();
          },
          archive: async (batch) => {
            if (step === 'archive') fail();
            const isDone = await source.archive(batch);
            if (step === 'after') fail();
            return isDone;
          },
        },
        store: {
          ...store,
          put: async (name, content, type) => {
            await store.put(name, content, type);
            if (step === 'put' && isOf(name)) fail();
          },
          find: async (name) => {
            if (step === 'find' && isOf(name)) fail();
            return store.find(name);
          },
        },
      }),
    });
    await expect(run).rejects.toThrow('It ends here');
    expect(await exportCsv(holder, { orderBy: 'asc' })).toBe(before);
  }
  await archive();
  expect(await exportCsv(holder, { orderBy: 'asc' })).toBe(before);
  expect(await sql('SELECT FROM orders WHERE token_id = $1', [holder.tokenId])).toEqual([]);
  await expectNothingLostOrDoubled();
});

it('ends between two files when it is told to, and goes on the next time', async () => {
  const holder = await addWallet();
  await insertOrders(
    holder,
    Array.from({ length: 1_100 }, (_, at) => ({
      ...{ createdAt: day(at * 60_000), orderStatus: 'CANCELLED', client: 0, amount: '2.50' },
    })),
  );
  const before = await exportCsv(holder);
  const stop = new AbortController();
  const lines: string[] = [];
  const run = archive({
    ...{ signal: stop.signal, lines },
    change: ({ source, store }) => ({
      source,
      store: {
        ...store,
        put: async (...file) => {
          stop.abort(new Error('it was interrupted'));
          await store.put(...file);
        },
      },
    }),
  });
  await expect(run).rejects.toThrow('it was interrupted');
  expect(lines).toEqual(['2023-11: 1,000 orders archived to 1 file before the command ended']);
  const [{ count } = { count: 0 }] = await sql<{ count: number }>(
    'SELECT count(*)::int FROM orders WHERE token_id = $1',
    [holder.tokenId],
  );
  expect(count).toBe(100);
  expect(await exportCsv(holder)).toBe(before);
  expect(await archive()).toEqual(['2023-11: 100 orders archived to 1 file']);
  expect(await exportCsv(holder)).toBe(before);
  await expectNothingLostOrDoubled();
});

it('is refused in a place that does not have the files archived before, such as a disk that is not mounted', async () => {
  const holder = await addWallet();
  const order = { orderStatus: 'DELIVERED', client: 0, amount: '1.00' };
  const times = [day(0), day(40 * 86_400_000)];
  await insertOrders(
    holder,
    times.map((createdAt) => ({ ...order, createdAt })),
  );
  await archive({ before: '2023-12' });
  const before = await exportCsv(holder);
  const empty = join(inject('runFolder'), `archives-${randomUUID()}`);
  for (const isDryRun of [true, false]) {
    const elsewhere = archive({
      isDryRun,
      change: ({ source }) => ({ source, store: createFolderStore(empty) }),
    });
    await expect(elsewhere).rejects.toThrow(/^The file \S+ of archived orders is missing$/);
  }
  expect(await exportCsv(holder)).toBe(before);
  await archive();
  expect(await exportCsv(holder)).toBe(before);
  await expectNothingLostOrDoubled();
});

it('keeps an order that changes while its file is written, and orders that are placed meanwhile', async () => {
  const holder = await addWallet();
  const given = { createdAt: day(0), orderStatus: 'DELIVERED', client: 0, amount: '3.00' };
  await insertOrders(holder, [given, { ...given, createdAt: day(1) }, { ...given, createdAt: day(2) }]);
  const [changed] = await sql<{ id: string }>(
    'SELECT id FROM orders WHERE token_id = $1 ORDER BY created_at LIMIT 1',
    [holder.tokenId],
  );
  let before = '';
  const change = async () => {
    if (before !== '') return;
    await sql(`UPDATE orders SET metadata = '{"changed": "yes"}' WHERE id = $1`, [changed?.id]);
    await sql(
      `INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       SELECT token_id, client_id, 'MEANWHILE', 5, 1, 'EUR' FROM orders WHERE id = $1`,
      [changed?.id],
    );
    before = await exportCsv(holder);
  };
  const lines = await archive({
    change: ({ source, store }) => ({
      source,
      store: {
        ...store,
        find: async (name) => {
          await change();
          return store.find(name);
        },
      },
    }),
  });
  expect(lines).toEqual(['2023-11: 2 orders archived to 1 file, 1 not at rest']);
  expect(await exportCsv(holder)).toBe(before);
  const kept = await sql<{ id: string }>('SELECT id FROM orders WHERE token_id = $1 ORDER BY id', [
    holder.tokenId,
  ]);
  expect(kept).toHaveLength(2);
  await expectNothingLostOrDoubled();
});

it('erases and archives at the same time', async () => {
  const holder = await addWallet();
  const { id: clientId } = await insertClient(sql, holder.tokenId, { firstName: 'Erased' });
  await sql(
    `INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at, note)
     SELECT $1, $2, 'E-' || n, 'DELIVERED', 1, 1, 'EUR', timestamptz '2023-11-01' + n * interval '1 month', '2023-12-02', 'a secret'
     FROM generate_series(1, 2) AS n`,
    [holder.tokenId, clientId],
  );
  const erase = async () => {
    const reply = await holder.ask('DELETE', `/dapp/clients/${clientId}?erase=true`);
    expect(reply.status).toBe(200);
  };
  let puts = 0;
  const lines = await archive({
    change: ({ source, store }) => ({
      source,
      store: {
        ...store,
        // The first file is recorded, and the second is written but not recorded yet.
        put: async (...file) => {
          await store.put(...file);
          if (++puts === 2) await erase();
        },
      },
    }),
  });
  // What was erased has changed, and rests for some time.
  expect(lines.slice(-2)).toEqual([
    '2023-12: 1 order archived to 1 file',
    '2024-01: 0 orders archived to 0 files, 1 not at rest',
  ]);
  expect(await shop.readArchivedText()).not.toContain('a secret');
  expect(await sql(`SELECT FROM orders WHERE note = 'a secret'`)).toEqual([]);
  await expectNothingLostOrDoubled();
});

const month = fc.constantFrom('2023-01', '2023-02', '2024-12', '2025-01', '2026-01');
const order = fc.record({
  createdAt: fc
    .tuple(
      month,
      fc.integer({ min: 1, max: 28 }),
      fc.constantFrom('00:00:00.000', '12:30:00.5', '23:59:59.999'),
    )
    .map(([name, number, time]) => `${name}-${String(number).padStart(2, '0')}T${time}Z`),
  orderStatus: fc.constantFrom('PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'DELIVERED', 'CANCELLED'),
  client: fc.nat({ max: 1 }),
  amount: fc.integer({ min: 0, max: 99_999_999_999_999 }).map((cents) => (BigInt(cents) / 100n).toString()),
});

it('exports the same as before, whatever was archived when, in any order and range', async () => {
  console.log(`ARCHIVE_SEED=${seed}`);
  const holders = [await addWallet(), await addDigitalKey(), await addDigitalKey()];
  const lists = fc.sample(fc.array(order, { minLength: 40, maxLength: 80 }), {
    seed,
    numRuns: holders.length,
  });
  for (const [at, holder] of holders.entries()) await insertOrders(holder, lists[at] ?? []);
  const moment = fc
    .tuple(month, fc.constantFrom('', '-07', '-20T12:30:00.500Z'))
    .map(([name, rest]) => (rest ? name + rest : ''));
  const queries = fc.sample(
    fc
      .record({
        orderBy: fc.constantFrom('', 'asc', 'desc', 'createdAt', 'createdAt:desc'),
        startDate: moment,
        endDate: moment,
        status: fc.constantFrom('', '', 'DELIVERED', 'CANCELLED', 'PENDING'),
        search: fc.constantFrom('', '', 'zoë', 'A-', '-7', 'nobody'),
      })
      .filter(
        ({ startDate, endDate }) => !startDate || !endDate || startDate.slice(0, 7) < endDate.slice(0, 7),
      ),
    { seed, numRuns: scaled(60) },
  );
  const callers = [...holders, admin];
  const exportAll = async () => {
    const files: string[] = [];
    for (const [at, query] of queries.entries()) files.push(await exportCsv(callers[at % 4] ?? admin, query));
    return files;
  };
  const before = await exportAll();
  for (const name of ['2023-02', '2025-01', '2025-02']) {
    await archive({ before: name });
    expect(await exportAll()).toEqual(before);
    await expectNothingLostOrDoubled();
  }
});
