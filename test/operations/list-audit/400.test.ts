import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

const subject = 'subject must be one of the following values: CLIENT, ORDER, STRAIN, PLANET, DELIVERY_CHARGE';
const administrator = 'administrator must be an Ethereum address';

const queries: typeof hostilePages = [
  ...hostilePages,
  ['subject=strain', subject],
  ['subject=KEY', subject],
  ['subject=%00', subject],
  ['subject=STRAIN&subject=PLANET', 'subject must not be given more than once'],
  ['subjectId=7', 'subjectId must be a UUID'],
  ['subjectId=%00', 'subjectId must be a UUID'],
  ['subjectId=019a8f3e-7c00-7000-8000-00000000dea', 'subjectId must be a UUID'],
  ['administrator=0x12', administrator],
  [`administrator=${'ad'.repeat(20)}`, administrator],
  [`administrator=0x${'ad'.repeat(20)}%00`, administrator],
  ["administrator=' OR true --", administrator],
];

it.each(queries)('rejects %s', async (query, issue) => {
  const reply = await admin.ask('GET', `/admin/audit?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});

it('reports all validation issues at once', async () => {
  const reply = await admin.ask('GET', '/admin/audit?page=0&subject=x&subjectId=x&administrator=x');
  expect(reply.envelope.data).toEqual([
    'page must not be less than 1',
    subject,
    'subjectId must be a UUID',
    administrator,
  ]);
});
