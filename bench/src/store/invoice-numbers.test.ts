import pg from 'pg';
import { expect, it } from 'vitest';
import { makeInvoiceNumber } from '../../../packages/server/src/resources/orders/checkout/invoice-number.ts';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { createInvoiceNumberFunction, invoiceNumberOf, sqlInvoiceNumberOf } from './invoice-numbers.ts';

it.each([7, 10_009])(
  'derives the same numbers here and in the database, in the form of the service, of digital key %i',
  async (tokenId) => {
    const database = await createTestDatabase('nothing');
    const client = new pg.Client({ connectionString: database.ownerUrl });
    try {
      await client.connect();
      await client.query(`CREATE SCHEMA keyfront; ${createInvoiceNumberFunction}`);
      const { rows } = await client.query<{ number: string }>(
        `SELECT ${sqlInvoiceNumberOf(`${tokenId}`, 'n')} AS number FROM generate_series(0, 999) AS n ORDER BY n`,
      );
      const numbers = rows.map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, n) => invoiceNumberOf(tokenId, n)));
      expect(new Set(numbers).size).toBe(1_000);
      expect(numbers.every((number) => /^KF-[0-9A-HJKMNP-TV-Z]{10}$/.test(number))).toBe(true);
      expect(makeInvoiceNumber(() => 0)).toHaveLength(numbers[0]?.length ?? 0);
    } finally {
      await client.end();
      await database.close();
    }
  },
);
