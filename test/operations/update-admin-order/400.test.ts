import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const client = await insertClient(sql, holder.tokenId);
const id = await insertOrder(sql, holder.tokenId, client.id);
const asItWas = await sql('SELECT * FROM orders WHERE id = $1', [id]);

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown, orderId = id): Promise<unknown> {
  const reply = await admin.ask('PATCH', `/admin/orders/${orderId}`, { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

const nothing =
  'body must have at least one of the fields adminApproval, orderStatus, paymentStatus, rejectionNote';
const approvals = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';
const statuses =
  'orderStatus must be one of the following values: PENDING, PROCESSING, SHIPPED, DELIVERED, CANCELLED';
const payments =
  'paymentStatus must be one of the following values: PENDING, PROCESSING, PAID, FAILED, REFUNDED';

it.each([
  [{}, [nothing]],
  [undefined, [nothing]],
  [{ status: 'CANCELLED', totalAmount: 0 }, ['status should not exist', 'totalAmount should not exist']],
  [{ adminApproval: 'verified' }, [approvals]],
  [{ adminApproval: '' }, [approvals]],
  [{ adminApproval: {} }, [approvals]],
  [{ orderStatus: 'REFUNDED' }, [statuses]],
  [{ orderStatus: ['CANCELLED'] }, [statuses]],
  [{ orderStatus: 0 }, [statuses]],
  [{ paymentStatus: 'CANCELLED' }, [payments]],
  [{ paymentStatus: '' }, [payments]],
  [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
  [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
  [{ rejectionNote: 'a'.repeat(1001) }, ['rejectionNote must be shorter than or equal to 1000 characters']],
  [
    { adminApproval: 'x', orderStatus: 'x', paymentStatus: 'x', rejectionNote: 0 },
    [approvals, statuses, payments, 'rejectionNote must be a string'],
  ],
])('rejects %j', async (body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each([
  ['text that is no JSON', '{"orderStatus":', 'body must be valid JSON'],
  ['an array', '["CANCELLED"]', 'body must be an object'],
  ['a NUL', '{"rejectionNote":"A\\u0000"}', 'rejectionNote must not contain NUL or unpaired surrogates'],
  [
    'half a surrogate pair',
    '{"rejectionNote":"\\ud800"}',
    'rejectionNote must not contain NUL or unpaired surrogates',
  ],
  ['__proto__', '{"__proto__":{"orderStatus":"CANCELLED"}}', 'body must not contain the name __proto__'],
  [
    'a name that stands twice',
    '{"orderStatus":"CANCELLED","orderStatus":"SHIPPED"}',
    'body must not contain the name "orderStatus" twice',
  ],
  [
    'nesting without end',
    `{"orderStatus":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
])('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects an invalid UUID, and validates the body before it looks up the order', async () => {
  for (const orderId of ['7', '%00', `${unknownId}x`]) {
    expect(await listIssues({ orderStatus: 'CANCELLED' }, orderId)).toEqual(['orderId must be a UUID']);
  }
  expect(await listIssues({ orderStatus: 'x' }, '7')).toEqual(['orderId must be a UUID', statuses]);
  expect(await listIssues({}, unknownId)).toEqual([nothing]);
});

it('changed nothing in the tests above', async () => {
  expect(await sql('SELECT * FROM orders WHERE id = $1', [id])).toEqual(asItWas);
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
});
