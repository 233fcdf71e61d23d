import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import type { Order } from '@keyfront/sdk';
import { describe, expect, it } from 'vitest';
import { makeOrder } from '../../test/cli-harness.ts';
import { ordersToXlsx } from './orders-to-xlsx.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

/** Reads a file of a ZIP archive. It is found through the directory at the end of the archive. */
function readZipped(zip: Buffer, name: string): string {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(begin, begin + zip.readUInt32LE(at + 20));
      return (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content).toString();
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`There is no ${name}`);
}

/** The values of each row: numbers, and texts without the escapes of XML. */
function readRows(workbook: Buffer): (string | number)[][] {
  const sheet = readZipped(workbook, 'xl/worksheets/sheet1.xml');
  return [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, row = '']) =>
    [...row.matchAll(/<c r="([A-Z]\d+)"[^>]*>(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/gs)].map(
      ([, reference, value, text = ''], index) => {
        expect(reference).toBe(`${'ABCDEFGHIJKLMNO'[index]}${number}`);
        if (value !== undefined) return Number(value);
        return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      },
    ),
  );
}

const write = (...orders: Order[]) => buffer(ordersToXlsx(stream(...orders)));

describe('ordersToXlsx', () => {
  it('writes the columns of the CSV file, with amounts and times as numbers', async () => {
    const [header, row] = readRows(await write(makeOrder(1)));
    expect(header).toEqual([
      ...['id', 'invoiceNumber', 'orderStatus', 'paymentStatus', 'adminApproval', 'totalAmount'],
      ...['totalQuantity', 'currency', 'createdAt', 'updatedAt', 'clientId', 'clientFirstName'],
      ...['clientLastName', 'clientEmail', 'tokenId'],
    ]);
    const { id, client } = makeOrder(1);
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
    const order = makeOrder(1);
    const firstName = '\u0001=HYPERLINK("x") _x0041_ a\u0000b\ud800c';
    const workbook = await write({ ...order, client: { ...order.client, firstName } });
    const sheet = readZipped(workbook, 'xl/worksheets/sheet1.xml');
    expect(sheet).not.toContain('<f>');
    expect(sheet).toContain(`>'=HYPERLINK("x") _x005F_x0041_ abc<`);
  });

  it('writes a row for each order below the header', async () => {
    expect(readRows(await write())).toHaveLength(1);
    const orders = Array.from({ length: 500 }, (_, index) => makeOrder(index));
    expect(readRows(await write(...orders)).map(([id]) => id)).toEqual(['id', ...orders.map(({ id }) => id)]);
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
    const three = () => stream(...[1, 2, 3].map(makeOrder));
    expect(readRows(await buffer(ordersToXlsx(three(), 3)))).toHaveLength(4);
    await expect(buffer(ordersToXlsx(three(), 2))).rejects.toThrow('A spreadsheet holds at most 2 orders');
  });

  it('fails with the error of the download', async () => {
    const broken = (async function* () {
      yield makeOrder(1);
      throw new Error('cut');
    })();
    await expect(buffer(ordersToXlsx(broken))).rejects.toThrow('cut');
  });

  it('stops the download when it is no longer read', async () => {
    let isStopped = false;
    const endless = (async function* () {
      try {
        for (let number = 1; ; number++) yield makeOrder(number);
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
