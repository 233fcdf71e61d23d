import { expect } from 'vitest';
import { insertOrder } from './order-data.ts';
import type { openStorefront } from './storefront.ts';
import { insertClient } from './storefront-data.ts';

type Storefront = Awaited<ReturnType<typeof openStorefront>>;

export const separators = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
/** White space and characters without a shape, which a spreadsheet may skip before a formula: some of each kind. */
export const invisibleCharacters = [
  ...'\v\f\u0001\u001b\u007f\u0085\u00a0\u00ad\u034f\u061c\u1680\u180e\u2003\u2028\u202f\u205f\u3000',
  ...'\u200b\u200d\u200e\u200f\u202a\u202e\u2060\u2064\u2066\u2069\u2800\u3164\ufe0f\ufeff\uffa0\ufffb\u{e0001}\u{e0020}',
];
/** Characters that some readers end a line with, besides CR and LF. */
export const lineBreaks = [...'\v\f\u001c\u001d\u001e\u001f\u0085\u2028\u2029'];
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
  ...invisibleCharacters.flatMap((character) => [`${character}=1+1`, `x; ${character}${character}-1+1`]),
  ...lineBreaks.map((lineBreak) => `x${lineBreak}@SUM(1)`),
  '﹦1+1',
  '﹢1+1',
  '﹣1+1',
  '﹫SUM(1)',
  '−1+1',
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
