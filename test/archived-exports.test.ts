import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFolderStore, type FileStore } from '@keyfront/file-store';
import { afterAll, expect, inject, it, onTestFinished } from 'vitest';
import { exportCsv as openExport } from '../packages/server/src/resources/orders/listing/export-orders.ts';
import { askForCsv, exportCsv, openArchiving } from './support/order-archives.ts';
import { dataOf, type TestHolder } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';

const folderStore = createFolderStore(join(inject('runFolder'), `archives-${randomUUID()}`));
/** Replaced by tests that do something while a file is read. */
let find: FileStore['find'] = folderStore.find;
const shop = await openArchiving({ ...folderStore, find: (name) => find(name) });
const { service, sql, archive, addWallet } = shop;
afterAll(() => service.close());

/** Inserts so many delivered orders of each month, two at each time, of two clients. Returns these. */
async function insertMonths({ tokenId }: TestHolder, months: readonly string[], count: number) {
  const clients = [
    await insertClient(sql, tokenId, { firstName: 'Ada' }),
    await insertClient(sql, tokenId, { firstName: 'Zoë' }),
  ].map(({ id }) => id);
  await sql(
    `INSERT INTO orders (token_id, client_id, invoice_number, order_status, total_amount, total_quantity, currency, created_at, updated_at, note)
     SELECT $1::bigint, ($2::uuid[])[1 + n % 2], concat_ws('-', $1::bigint, month, n), 'DELIVERED', n, 1, 'EUR', at, at, 'a secret of ' || n % 2
     FROM unnest($3::text[]) AS month, generate_series(1, $4::int) AS n,
       LATERAL (SELECT (month || '-01')::date::timestamptz + n / 2 * interval '1 minute' AS at) AS times`,
    [tokenId, clients, months, count],
  );
  return clients;
}

it.each(['asc', 'desc'] as const)(
  'contains each order once if it is archived while the file is read, %s',
  { tags: ['long'] },
  async (orderBy) => {
    const holder = await addWallet();
    // More than a slow reader lets the service fetch.
    await insertMonths(holder, ['2023-01', '2023-12', '2024-01'], 1_700);
    const before = await exportCsv(holder, { orderBy });
    // At first nothing is archived, then the oldest month, then another one.
    for (const month of ['2023-02', '2024-01', '2024-02']) {
      const scope = { role: 'holder', ...holder } as const;
      const { archiveStore } = shop;
      const { chunks } = openExport(
        { database: service.database, archiveStore },
        scope,
        { orderBy },
        new Date(),
      );
      const read: Buffer[] = [];
      for await (const chunk of chunks) {
        // After the header and the first lines.
        if (read.push(Buffer.from(chunk)) === 2) expect(await archive({ before: month })).toHaveLength(1);
      }
      expect(read.length).toBeGreaterThan(3);
      expect(Buffer.concat(read).toString()).toBe(before);
      expect(await exportCsv(holder, { orderBy })).toBe(before);
    }
  },
);

it('contains each order once if a client is erased while the files are read', async () => {
  const holder = await addWallet();
  const [ada, zoe] = await insertMonths(holder, ['2023-01', '2023-02', '2023-03'], 10);
  const before = await exportCsv(holder);
  await archive();
  const listFiles = async () =>
    (await shop.listRecords())
      .filter(({ tokenId }) => tokenId === holder.tokenId)
      .map(({ fileName }) => fileName);
  const former = await listFiles();
  // While the first file is read, one client is erased; while its successor is read, the other one.
  const toErase = [ada, zoe];
  let isErasing = false;
  find = async (name) => {
    const clientId = isErasing ? undefined : toErase.shift();
    if (clientId) {
      isErasing = true;
      dataOf(await holder.ask('DELETE', `/dapp/clients/${clientId}?erase=true`));
      isErasing = false;
    }
    return folderStore.find(name);
  };
  onTestFinished(() => {
    find = folderStore.find;
  });
  // The clients are those of the moment at which it began.
  expect(await exportCsv(holder)).toBe(before);
  expect(toErase).toEqual([]);
  const latest = await listFiles();
  expect(latest).toHaveLength(3);
  expect(former.filter((name) => latest.includes(name))).toEqual([]);
  const idsOf = (csv: string) => csv.split('\r\n').map((line) => line.slice(0, 36));
  expect(idsOf(await exportCsv(holder))).toEqual(idsOf(before));
});

it('is an error and no shorter file if a file is missing or damaged, for the callers whose orders are in it', async () => {
  const [holder, other] = [await addWallet(), await addWallet()];
  for (const each of [holder, other]) await insertMonths(each, ['2022-12', '2023-01'], 10);
  const before = await exportCsv(holder);
  const ofOther = await exportCsv(other);
  await archive();
  const [{ fileName: broken } = { fileName: '' }] = (await shop.listRecords()).filter(
    ({ tokenId, month }) => tokenId === holder.tokenId && month === '2022-12-01',
  );
  onTestFinished(() => {
    find = folderStore.find;
  });
  for (const content of [null, Buffer.from('damaged')]) {
    find = async (name) => (name === broken ? content : folderStore.find(name));
    for (const [caller, orderBy] of [
      [holder, 'asc'],
      [holder, 'desc'],
      [shop.admin, 'desc'],
    ] as const) {
      const { status, text, headers } = await askForCsv(caller, { orderBy, endDate: '2023-01-31' });
      expect([status, headers.get('content-type'), text.includes(broken)]).toEqual([
        500,
        expect.stringContaining('json'),
        false,
      ]);
    }
    expect(service.logLines.join('\n')).toContain(broken);
    expect(await exportCsv(other)).toBe(ofOther);
    expect((await exportCsv(holder, { startDate: '2023-01-01' })).split('\r\n')).toHaveLength(12);
  }
  find = folderStore.find;
  expect(await exportCsv(holder)).toBe(before);
});

it('is erased in all other files if one is missing or damaged, and the erasure fails until that one is back', async () => {
  const holder = await addWallet();
  const clients = await insertMonths(holder, ['2022-12', '2023-01'], 10);
  await archive();
  const listFiles = async () =>
    (await shop.listRecords()).flatMap(({ tokenId, fileName }) =>
      tokenId === holder.tokenId ? [fileName] : [],
    );
  const [broken = ''] = await listFiles();
  onTestFinished(() => {
    find = folderStore.find;
  });
  for (const [index, content] of [null, Buffer.from('damaged')].entries()) {
    const erase = () => holder.ask('DELETE', `/dapp/clients/${clients[index]}?erase=true`);
    find = async (name) => (name === broken ? content : folderStore.find(name));
    const [, second] = await listFiles();
    expect((await erase()).status).toBe(500);
    expect((await listFiles())[0]).toBe(broken);
    expect((await listFiles())[1]).not.toBe(second);
  }
  find = folderStore.find;
  for (const client of clients) dataOf(await holder.ask('DELETE', `/dapp/clients/${client}?erase=true`));
  expect(await shop.readArchivedText(holder.tokenId)).not.toContain('a secret');
});
