import type { OrderPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const required = [
  'orderBy',
  'startDate',
  'endDate',
  'search',
  'searchBy',
  'status',
  'paymentStatus',
  'adminApproval',
];
const nothingAsked = Object.fromEntries(required.map((name) => [name, '']));
const file = { headers: { accept: 'text/csv' } };

/** Expects that both the page and the file are refused with these issues, in the envelope. */
async function expectRefusal(query: string, issues: string[]): Promise<void> {
  for (const caller of [holder, admin]) {
    for (const kind of [{}, file]) {
      const reply = await caller.ask('GET', `/orders/export${query}`, kind);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(reply.headers.get('content-disposition')).toBeNull();
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 400,
        code: 'VALIDATION_FAILED',
        message: 'Validation failed',
        data: issues,
      });
    }
  }
}

describe('the eight parameters', () => {
  it.each(required)('must be there, even if empty: %s', async (missing) => {
    const rest = required.filter((name) => name !== missing).map((name) => `${name}=`);
    await expectRefusal(`?${rest.join('&')}`, [`${missing} is required`]);
  });

  it('are all named when all of them are missing', async () => {
    const issues = required.map((name) => `${name} is required`);
    await expectRefusal('', issues);
    await expectRefusal('?page=1&take=10', issues);
  });
});

const sorts =
  'orderBy must be one of the following values: asc, desc, createdAt, createdAt:asc, createdAt:desc, updatedAt, ' +
  'updatedAt:asc, updatedAt:desc, totalAmount, totalAmount:asc, totalAmount:desc, invoiceNumber, ' +
  'invoiceNumber:asc, invoiceNumber:desc';
const places = 'searchBy must be one of the following values: clientName, email, invoiceNumber';
const statuses =
  'status must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
const payments =
  'paymentStatus must be one of the following values: PENDING, PROCESSING, PAID, FAILED, REFUNDED, COMPLETED';
const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
const startDate = 'startDate must be a valid ISO 8601 date string';
const endDate = 'endDate must be a valid ISO 8601 date string';

describe('a value', () => {
  it.each([
    ['orderBy', 'ASC', sorts],
    ['orderBy', 'createdAt:down', sorts],
    ['orderBy', 'createdAt,id', sorts],
    ['orderBy', 'id; DROP TABLE orders', sorts],
    ['orderBy', '__proto__', sorts],
    ['searchBy', 'name', places],
    ['searchBy', 'clientname', places],
    ['searchBy', '\0', places],
    ['status', 'pending', statuses],
    ['status', 'REFUNDED', statuses],
    ['paymentStatus', 'SHIPPED', payments],
    ['adminApproval', 'APPROVED', approvals],
    ['search', 'a'.repeat(201), 'search must be shorter than or equal to 200 characters'],
    ['search', 'a\0b', 'search must not contain NUL or unpaired surrogates'],
    ['startDate', 'x', startDate],
    ['startDate', '2026-02-30', startDate],
    ['startDate', '2026-13-01', startDate],
    ['startDate', '2026-2-1', startDate],
    ['startDate', '0000-01-01', startDate],
    ['startDate', ' ', startDate],
    ['startDate', '2026-03-01T25:00:00Z', startDate],
    ['endDate', '2026-02-29', endDate],
    ['endDate', '10000-01-01', endDate],
    ['endDate', '2026-03-01T00:00:00+99:00', endDate],
    ['endDate', '1767225600000', endDate],
    ['endDate', '\0', endDate],
  ])('of %s that is %j is refused', async (name, value, issue) => {
    await expectRefusal(`?${new URLSearchParams({ ...nothingAsked, [name]: value })}`, [issue]);
  });

  it('that stands twice is refused', async () => {
    const query = new URLSearchParams(nothingAsked);
    await expectRefusal(`?${query}&search=a&search=b`, ['search must not be given more than once']);
    await expectRefusal(`?${query}&status=PENDING&status=SHIPPED`, [
      'status must not be given more than once',
    ]);
  });

  it('is named together with all others that are wrong', async () => {
    const query = { orderBy: 'x', startDate: 'x', endDate: 'x', search: 'a'.repeat(201), searchBy: 'x' };
    const states = { status: 'x', paymentStatus: 'x', adminApproval: 'x' };
    await expectRefusal(`?${new URLSearchParams({ ...query, ...states })}`, [
      sorts,
      startDate,
      endDate,
      'search must be shorter than or equal to 200 characters',
      places,
      statuses,
      payments,
      approvals,
    ]);
  });
});

it.each([
  ['2026-03-02', '2026-03-01'],
  ['2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.000Z'],
  ['2026-03-02T00:00:00Z', '2026-03-01'],
  ['2026-03-01T00:00:00+01:00', '2026-02-27'],
])('an end before its start is refused: from %s to %s', async (start, end) => {
  const query = new URLSearchParams({ ...nothingAsked, startDate: start, endDate: end });
  await expectRefusal(`?${query}`, ['endDate must not be before startDate']);
});

describe('an invalid paging value', () => {
  it.each<readonly [string, string]>([
    ...hostilePages,
    [`cursor=${'a'.repeat(501)}`, 'cursor must be shorter than or equal to 500 characters'],
    ['cursor=garbage', 'cursor must be a nextCursor of this list'],
    ['cursor=%00', 'cursor must not contain NUL or unpaired surrogates'],
    ['cursor=e30', 'cursor must be a nextCursor of this list'],
    ['page=-3', 'page must not be less than 1'],
  ])('is rejected for a page and for a file: %s', async (part, issue) => {
    await expectRefusal(`?${new URLSearchParams(nothingAsked)}&${part}`, [issue]);
  });
});

describe('a cursor', () => {
  const ask = (query: Record<string, string>) =>
    holder.ask('GET', `/orders/export?${new URLSearchParams({ ...nothingAsked, take: '1', ...query })}`);

  it('of another order is refused, and so is one that was tampered with', async () => {
    const client = await insertClient(sql, holder.tokenId);
    await insertOrder(sql, holder.tokenId, client.id);
    await insertOrder(sql, holder.tokenId, client.id);
    for (const orderBy of ['', 'asc', 'updatedAt', 'totalAmount:desc', 'invoiceNumber']) {
      const { nextCursor } = dataOf<OrderPage>(await ask({ orderBy })).pageMetaDto;
      const cursor = nextCursor ?? '';
      expect((await ask({ orderBy, cursor })).status).toBe(200);
      const other = await ask({ orderBy: 'invoiceNumber:desc', cursor });
      expect(other.envelope).toMatchObject({ statusCode: 400, data: ['cursor belongs to another orderBy'] });
      for (const tampered of [
        cursor.slice(0, -4),
        cursor.slice(4),
        `x${cursor}`,
        cursor.replace(/.{8}$/, ''),
      ]) {
        const reply = await ask({ orderBy, cursor: tampered });
        expect(reply.envelope).toMatchObject({
          statusCode: 400,
          data: ['cursor must be a nextCursor of this list'],
        });
      }
    }
  });

  it('that somebody made up is refused where the database would fail', async () => {
    const id = '019a8f3e-7c00-7000-8000-00000000dead';
    const places: [orderBy: string, parts: unknown[]][] = [
      ['desc', [0, 'desc', '2026-01-01T00:00:00.000+23:00', id]],
      ['desc', [0, 'desc', '2026-02-30T00:00:00.000Z', id]],
      ['desc', [0, 'desc', 'infinity', id]],
      ['totalAmount', [2, 'asc', 'NaN', id]],
      ['totalAmount', [2, 'asc', '1e400', id]],
      ['invoiceNumber', [3, 'asc', 'a\0', id]],
      ['invoiceNumber', [3, 'asc', 'a', `${id}'`]],
    ];
    for (const [orderBy, parts] of places) {
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      const reply = await ask({ orderBy, cursor });
      expect(reply.envelope, JSON.stringify(parts)).toMatchObject({
        statusCode: 400,
        data: ['cursor must be a nextCursor of this list'],
      });
    }
  });
});
