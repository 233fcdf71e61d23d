import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeOrder } from '../../test/world.ts';
import type { Order } from './order.ts';
import { ordersToXlsx } from './orders-to-xlsx.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

/** A file in a zip archive, found through the directory at its end. */
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

/** The cells of each row: numbers as they stand, texts looked up. */
function readRows(workbook: Buffer): (string | number)[][] {
  const texts = [...readZipped(workbook, 'xl/sharedStrings.xml').matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(
    ([, text = '']) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
  const sheet = readZipped(workbook, 'xl/worksheets/sheet1.xml');
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c [^>]*?(t="s")?[^>]*><v>(.*?)<\/v><\/c>/g)].map(([cell, , value = '']) =>
      cell.includes('t="s"') ? (texts[Number(value)] ?? '') : Number(value),
    ),
  );
}

describe('orders as a workbook', () => {
  it('have the columns of the CSV file, amounts as numbers, and texts that no spreadsheet runs', async () => {
    const workbook = await ordersToXlsx(stream(makeOrder(1)));
    const [heads, row] = readRows(workbook);
    expect(heads).toEqual([
      ...[
        'id',
        'invoiceNumber',
        'orderStatus',
        'paymentStatus',
        'adminApproval',
        'totalAmount',
        'totalQuantity',
      ],
      ...[
        'currency',
        'createdAt',
        'updatedAt',
        'clientId',
        'clientFirstName',
        'clientLastName',
        'clientEmail',
      ],
      'tokenId',
    ]);
    const { id, client } = makeOrder(1);
    // Days since the end of 1899, as spreadsheets count.
    const days = (moment: string) => new Date(moment).getTime() / 86_400_000 + 25_569;
    expect(row).toEqual([
      ...[id, 'KF-1', 'PENDING', 'COMPLETED', 'VERIFIED', 999999999999.99, 1, 'EUR'],
      expect.closeTo(days('2026-11-15T09:30:00.000Z'), 6),
      expect.closeTo(days('2026-11-15T09:31:00.000Z'), 6),
      ...[client.id, '=1+1 & <b>', 'Example', 'ada@example.org', 1001],
    ]);
    expect(readZipped(workbook, 'xl/worksheets/sheet1.xml')).not.toContain('<f>');
  });

  it('have a row for each order, and only the heads where there is none', async () => {
    expect(readRows(await ordersToXlsx(stream()))).toHaveLength(1);
    expect(readRows(await ordersToXlsx(stream(...[1, 2, 3].map(makeOrder))))).toHaveLength(4);
  });

  it('are refused where a sheet does not hold them all', async () => {
    const three = () => stream(...[1, 2, 3].map(makeOrder));
    expect(readRows(await ordersToXlsx(three(), 3))).toHaveLength(4);
    await expect(ordersToXlsx(three(), 2)).rejects.toThrow('A sheet holds 2 orders and there are more');
  });
});
