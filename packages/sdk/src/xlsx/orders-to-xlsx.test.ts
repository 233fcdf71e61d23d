import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { makeExportedOrder } from '../../../../test/support/exported-order.ts';
import { readXlsx, readZipped } from '../../../../test/support/read-xlsx.ts';
import type { Order } from '../generated/types.ts';
import { ordersToXlsx } from './orders-to-xlsx.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

const write = (...orders: Order[]) => buffer(ordersToXlsx(stream(...orders)));

describe('ordersToXlsx', () => {
  it('writes the columns of the CSV file, with amounts and times as numbers', async () => {
    const [header, row] = readXlsx(await write(makeExportedOrder(1)));
    expect(header).toEqual([
      ...['id', 'invoiceNumber', 'orderStatus', 'paymentStatus', 'adminApproval', 'totalAmount'],
      ...['totalQuantity', 'currency', 'createdAt', 'updatedAt', 'clientId', 'clientFirstName'],
      ...['clientLastName', 'clientEmail', 'tokenId'],
    ]);
    const { id, client } = makeExportedOrder(1);
    // Excel counts the days since 1899-12-30.
    const days = (time: string) => new Date(time).getTime() / 86_400_000 + 25_569;
    expect(row).toEqual([
      ...[id, 'KF-1', 'PENDING', 'PAID', 'VERIFIED', 999999999999.99, 1, 'EUR'],
      expect.closeTo(days('2026-11-15T09:30:00.000Z'), 6),
      expect.closeTo(days('2026-11-15T09:31:00.000Z'), 6),
      ...[client.id, "'=1+1 & <b>", 'Example', 'ada@example.org', 1001],
    ]);
  });

  it('writes texts that no spreadsheet interprets', async () => {
    const order = makeExportedOrder(1);
    const firstName = '\u0001=HYPERLINK("x") _x0041_ a\u0000b\ud800c';
    const workbook = await write({ ...order, client: { ...order.client, firstName } });
    const sheet = readZipped(workbook, 'xl/worksheets/sheet1.xml');
    expect(sheet).not.toContain('<f>');
    expect(sheet).toContain(`>'=HYPERLINK("x") _x005F_x0041_ abc<`);
  });

  it('writes a row for each order below the header', async () => {
    expect(readXlsx(await write())).toHaveLength(1);
    const orders = Array.from({ length: 500 }, (_, index) => makeExportedOrder(index));
    expect(readXlsx(await write(...orders)).map(([id]) => id)).toEqual(['id', ...orders.map(({ id }) => id)]);
  });

  it('has the parts that the standard requires', async () => {
    const workbook = await write();
    expect(readZipped(workbook, '[Content_Types].xml')).toContain('PartName="/xl/worksheets/sheet1.xml"');
    expect(readZipped(workbook, '_rels/.rels')).toContain('Target="xl/workbook.xml"');
    expect(readZipped(workbook, 'xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet1.xml"');
    expect(readZipped(workbook, 'xl/workbook.xml')).toContain('name="Orders"');
    expect(readZipped(workbook, 'xl/styles.xml')).toContain('<cellXfs count="4">');
  });

  it('fails if a sheet does not hold all orders', async () => {
    const three = () => stream(...[1, 2, 3].map(makeExportedOrder));
    expect(readXlsx(await buffer(ordersToXlsx(three(), 3)))).toHaveLength(4);
    await expect(buffer(ordersToXlsx(three(), 2))).rejects.toThrow('A spreadsheet holds at most 2 orders');
  });

  it('fails with the error of the download', async () => {
    const broken = (async function* () {
      yield makeExportedOrder(1);
      throw new Error('cut');
    })();
    await expect(buffer(ordersToXlsx(broken))).rejects.toThrow('cut');
  });

  it('stops the download when it is no longer read', async () => {
    let isStopped = false;
    const endless = (async function* () {
      try {
        for (let number = 1; ; number++) yield makeExportedOrder(number);
      } finally {
        isStopped = true;
      }
    })();
    let byteCount = 0;
    for await (const chunk of ordersToXlsx(endless)) {
      byteCount += chunk.length;
      if (byteCount > 100_000) break;
    }
    await expect.poll(() => isStopped).toBe(true);
  });
});
