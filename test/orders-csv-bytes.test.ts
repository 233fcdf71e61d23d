import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from './support/csv-in-sql.ts';
import { hostileTexts } from './support/hostile-csv-texts.ts';
import { scaled } from './support/scale.ts';
import { openStorefront } from './support/storefront.ts';

const { holder, sql } = await openStorefront();

const seed = Number(process.env.EXPORT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const query = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
const header =
  'id,invoiceNumber,orderStatus,paymentStatus,adminApproval,totalAmount,totalQuantity,currency,createdAt,updatedAt,' +
  'clientId,clientFirstName,clientLastName,clientEmail,tokenId';

const text = fc
  .oneof(
    fc.constantFrom('Ada', 'Zoë', 'Юлия', '李', '=1+1', '-5', 'a,b', 'a\r\nb', '"Quote"', ...hostileTexts),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'a=,;"\n ё−'), minLength: 1, maxLength: 300 }),
  )
  .filter((each) => !/[\0\ud800-\udfff]/u.test(each));
const email = text.map((each) => `${[...each].slice(0, 100).join('')}@x`);
/** With all numbers of decimal places, which PostgreSQL shortens. */
const time = fc
  .integer({ min: 0, max: 200_000_000_000 })
  .map((value) => new Date(Date.UTC(2026) + value * (value % 3 === 0 ? 1 : value % 3 === 1 ? 10 : 1_000)));
const order = fc.record({
  ...{ firstName: text, lastName: text, email, createdAt: time, updatedAt: time },
  amount: fc.integer({ min: 0, max: 99_999_999 }).map((cents) => (cents / 100).toFixed(2)),
});

it('writes the same bytes as a statement of the database', async () => {
  console.log(`EXPORT_TEST_SEED=${seed}`);
  // In the long run, more than one batch.
  const orders = fc.sample(order, { seed, numRuns: scaled(1_100) });
  await sql(
    `WITH given AS (
       SELECT value, uuid_v7() AS client_id, place FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS given (value, place)
     ), added AS (
       INSERT INTO clients (id, token_id, first_name, last_name, email)
       SELECT client_id, $1, value ->> 'firstName', value ->> 'lastName', value ->> 'email' || place FROM given
     )
     INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency, created_at, updated_at)
     SELECT $1, client_id, 'BYTES-' || place, (value ->> 'amount')::numeric, place, 'EUR', (value ->> 'createdAt')::timestamptz,
       (value ->> 'updatedAt')::timestamptz
     FROM given`,
    [holder.tokenId, JSON.stringify(orders)],
  );
  const lines = await sql<{ line: string }>(
    `SELECT ${csvLine} AS line FROM orders JOIN clients ON clients.id = orders.client_id
     WHERE orders.token_id = $1 ORDER BY orders.created_at, orders.id`,
    [holder.tokenId],
  );
  expect(lines.length).toBe(orders.length);
  const { text: file } = await holder.ask('GET', `/orders/export?${query}`, {
    headers: { accept: 'text/csv' },
  });
  // Line by line first, because the whole files are too long to be shown.
  const all = [header, ...lines.map(({ line }) => line)].map((line) => `${line}\r\n`);
  let at = 0;
  for (const line of all) {
    expect(file.slice(at, at + line.length)).toBe(line);
    at += line.length;
  }
  expect(Buffer.from(file).equals(Buffer.from(all.join('')))).toBe(true);
});
