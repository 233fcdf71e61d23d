import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const statuses =
  'status must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
const payments =
  'paymentStatus must be one of the following values: PENDING, PROCESSING, COMPLETED, FAILED, REFUNDED';
const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
const places = 'searchBy must be one of the following values: clientName, email, invoiceNumber';
const sorts =
  'orderBy must be one of the following values: asc, desc, createdAt, createdAt:asc, createdAt:desc, updatedAt, ' +
  'updatedAt:asc, updatedAt:desc, totalAmount, totalAmount:asc, totalAmount:desc, invoiceNumber, ' +
  'invoiceNumber:asc, invoiceNumber:desc';
const noCursor = 'cursor must be a nextCursor of this list';

it.each<[string, string[]]>([
  ...hostilePages.map(([query, sentence]): [string, string[]] => [query, [sentence]]),
  ['orderBy=newest', [sorts]],
  ['orderBy=%00', [sorts]],
  ['status=pending', [statuses]],
  ['status=PENDING&status=SHIPPED', [statuses]],
  ['paymentStatus=PAID', [payments]],
  ['adminApproval=__proto__', [approvals]],
  ['searchBy=phone', [places]],
  [`search=${'a'.repeat(201)}`, ['search must be shorter than or equal to 200 characters']],
  ['search=%00', ['search must not contain NUL or unpaired surrogates']],
  ['search=a&search=b', ['search must be a string']],
  ['startDate=x', ['startDate must be a valid ISO 8601 date string']],
  ['startDate=2026-02-30', ['startDate must be a valid ISO 8601 date string']],
  ['endDate=2026-13-01', ['endDate must be a valid ISO 8601 date string']],
  ['startDate=2026-03-02&endDate=2026-03-01', ['endDate must not be before startDate']],
  ['clientId=7', ['clientId must be a UUID']],
  ['clientId=%00', ['clientId must be a UUID']],
  ['cursor=garbage', [noCursor]],
  ['cursor=W10', [noCursor]],
  [`cursor=${'a'.repeat(501)}`, ['cursor must be shorter than or equal to 500 characters']],
  [
    'page=0&take=1001&status=x&clientId=y',
    [
      'page must not be less than 1',
      'take must not be greater than 1000',
      statuses,
      'clientId must be a UUID',
    ],
  ],
])('refuses %s', async (query, sentences) => {
  const reply = await holder.ask('GET', `/dapp/orders?${query}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: sentences,
  });
});
