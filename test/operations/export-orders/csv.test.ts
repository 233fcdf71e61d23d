import { describe, expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sql } = await openStorefront();
const { tokenId } = holder;

const query = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
const ask = (accept: string, caller: TestCaller = holder, more = '') =>
  caller.ask('GET', `/orders/export?${query}${more}`, { headers: { accept } });

const header =
  'id,invoiceNumber,orderStatus,paymentStatus,adminApproval,totalAmount,totalQuantity,currency,createdAt,updatedAt,' +
  'clientId,clientFirstName,clientLastName,clientEmail,tokenId';

/** An order of a client of this name; gives the cells of its line in front of the name. */
async function insertOrderOf(firstName: string, lastName: string, email: string, minute: number) {
  const client = await insertClient(sql, tokenId, { firstName, lastName, email });
  const createdAt = `2026-03-01T00:${String(minute).padStart(2, '0')}:00.120Z`;
  const invoiceNumber = `KF-CSV-${tokenId}-${minute}`;
  const id = await insertOrder(sql, tokenId, client.id, {
    invoiceNumber,
    createdAt,
    updatedAt: '2026-04-05T06:07:08.009Z',
    orderStatus: 'SHIPPED',
    paymentStatus: 'PAID',
    adminApproval: 'VERIFIED',
    totalAmount: 1234.5,
    totalQuantity: 7,
  });
  return `${id},${invoiceNumber},SHIPPED,PAID,VERIFIED,1234.50,7,EUR,${createdAt},2026-04-05T06:07:08.009Z,${client.id}`;
}

const names: [firstName: string, lastName: string, email: string, cells: string][] = [
  ['Ada', 'Example', 'ada@example.org', 'Ada,Example,ada@example.org'],
  ['A,B', 'say "hi"', 'two\nlines@x', '"A,B","say ""hi""","two\nlines@x"'],
  ['a\r\nb', '"', 'x@y', '"a\r\nb","""",x@y'],
  ['=1+1', '+1', '-1@x', `'=1+1,'+1,'-1@x`],
  ['@x', '\tx', '\rx@x', `'@x,"'\tx","'\rx@x"`],
  ['=1,2', '="x"', '=cmd|x@x', `"'=1,2","'=""x""","'=cmd|x@x"`],
  ['x;=1', 'x\t-1', '＝1@x', `"x;'=1","x\t'-1",'＝1@x`],
  ['a=1', 'b-c+d', 'e@f', 'a=1,b-c+d,e@f'],
  ["'quoted", 'Ärger 🌱', 'ü@x', `'quoted,Ärger 🌱,ü@x`],
  ['\\t', ' = 1', 'x;y@z', `\\t, '= 1,"x;y@z"`],
];
const lines: string[] = [];
for (const [minute, [firstName, lastName, email, cells]] of names.entries()) {
  const before = await insertOrderOf(firstName, lastName, email, minute);
  lines.push(`${before},${cells},${tokenId}`);
}

describe('the file', () => {
  it('has a header and a line for each order, with line ends as RFC 4180 has them', async () => {
    const reply = await ask('text/csv');
    expect(reply.status).toBe(200);
    expect(reply.text).toBe([header, ...lines].map((line) => `${line}\r\n`).join(''));
  });

  it('is an attachment named after the day, of its type, and varies with what is accepted', async () => {
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const { headers } = await ask('text/csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect([before, today()].map((day) => `attachment; filename="orders-${day}.csv"`)).toContain(
      headers.get('content-disposition'),
    );
    expect(headers.get('vary')?.toLowerCase().split(/, */)).toContain('accept');
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('is only the header where nothing matches', async () => {
    expect((await ask('text/csv', stranger)).text).toBe(`${header}\r\n`);
    const none = query.replace('search=', 'search=nobody');
    const reply = await holder.ask('GET', `/orders/export?${none}`, { headers: { accept: 'text/csv' } });
    expect(reply.text).toBe(`${header}\r\n`);
  });

  it('is whole for every valid page, take and limit', async () => {
    const whole = (await ask('text/csv')).text;
    for (const more of ['&take=1', '&take=1000', '&limit=1000', '&page=2&take=3']) {
      expect((await ask('text/csv', holder, more)).text).toBe(whole);
    }
  });

  it('comes by token as well', async () => {
    expect((await ask('text/csv', holder.signedIn)).text).toBe((await ask('text/csv')).text);
  });

  it('never shows data of another holder', async () => {
    expect((await ask('text/csv', stranger)).text).not.toContain('KF-CSV');
  });
});

describe('which of the two comes', () => {
  it.each([
    'text/csv',
    'TEXT/CSV;q=0.9',
    'text/*',
    'application/json;q=0.5, text/csv',
    'text/csv, */*;q=0.1',
  ])('is the file for %s', async (accept) => {
    expect((await ask(accept)).headers.get('content-type')).toMatch(/^text\/csv/);
  });

  it.each(['application/json', '*/*', 'text/csv;q=0', 'application/json, text/csv;q=0.9'])(
    'is JSON for %s, which varies with it too',
    async (accept) => {
      const { headers, envelope } = await ask(accept);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('vary')?.toLowerCase().split(/, */)).toContain('accept');
      expect(envelope.success).toBe(true);
    },
  );
});
