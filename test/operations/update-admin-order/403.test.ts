import type { Order } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();
const client = await insertClient(sql, holder.tokenId);

type State = Pick<Order, 'orderStatus' | 'paymentStatus' | 'adminApproval'>;
const state = (
  orderStatus: State['orderStatus'],
  paymentStatus: State['paymentStatus'],
  adminApproval: State['adminApproval'],
): State => ({ orderStatus, paymentStatus, adminApproval });
const fresh = state('PENDING', 'PENDING', 'PENDING');

/** All that a move could have touched. */
const tracesOf = async (id: string) => ({
  order: await sql('SELECT * FROM orders WHERE id = $1', [id]),
  history: await sql('SELECT * FROM order_history WHERE order_id = $1', [id]),
  audit: await sql('SELECT * FROM audit WHERE subject_id = $1', [id]),
});

const noNote = 'Only a rejected order has a rejection note';

it.each<[State, object, string]>([
  [
    state('PROCESSING', 'PENDING', 'VERIFIED'),
    { orderStatus: 'PENDING' },
    'An order that is PROCESSING cannot become PENDING',
  ],
  [
    state('SHIPPED', 'PENDING', 'VERIFIED'),
    { orderStatus: 'PROCESSING' },
    'An order that is SHIPPED cannot become PROCESSING',
  ],
  [
    state('SHIPPED', 'PENDING', 'VERIFIED'),
    { orderStatus: 'CANCELLED' },
    'An order that is SHIPPED cannot become CANCELLED',
  ],
  [
    state('SHIPPED', 'PENDING', 'VERIFIED'),
    { adminApproval: 'REJECTED' },
    'An order that is SHIPPED cannot become CANCELLED',
  ],
  [
    state('DELIVERED', 'PAID', 'VERIFIED'),
    { orderStatus: 'CANCELLED' },
    'An order that is DELIVERED cannot become CANCELLED',
  ],
  [
    state('DELIVERED', 'PAID', 'VERIFIED'),
    { adminApproval: 'REJECTED', rejectionNote: 'x' },
    'An order that is DELIVERED cannot become CANCELLED',
  ],
  [
    state('CANCELLED', 'PENDING', 'PENDING'),
    { orderStatus: 'PENDING' },
    'An order that is CANCELLED cannot become PENDING',
  ],
  [
    state('CANCELLED', 'PENDING', 'PENDING'),
    { orderStatus: 'PROCESSING' },
    'An order that is CANCELLED cannot become PROCESSING',
  ],
  [fresh, { paymentStatus: 'REFUNDED' }, 'A payment that is PENDING cannot become REFUNDED'],
  [
    state('PENDING', 'PROCESSING', 'PENDING'),
    { paymentStatus: 'PENDING' },
    'A payment that is PROCESSING cannot become PENDING',
  ],
  [
    state('PENDING', 'PAID', 'PENDING'),
    { paymentStatus: 'FAILED' },
    'A payment that is PAID cannot become FAILED',
  ],
  [
    state('PENDING', 'FAILED', 'PENDING'),
    { paymentStatus: 'PAID' },
    'A payment that is FAILED cannot become PAID',
  ],
  [
    state('PENDING', 'REFUNDED', 'PENDING'),
    { paymentStatus: 'PAID' },
    'A payment that is REFUNDED cannot become PAID',
  ],
  [
    state('PENDING', 'PENDING', 'VERIFIED'),
    { adminApproval: 'PENDING' },
    'An approval that is VERIFIED cannot become PENDING',
  ],
  [
    state('CANCELLED', 'PENDING', 'REJECTED'),
    { adminApproval: 'VERIFIED' },
    'An approval that is REJECTED cannot become VERIFIED',
  ],
  [
    fresh,
    { orderStatus: 'SHIPPED', adminApproval: 'PENDING' },
    'An order whose approval is PENDING cannot be SHIPPED',
  ],
  [
    fresh,
    { orderStatus: 'SHIPPED', adminApproval: 'REJECTED' },
    'An order whose approval is REJECTED cannot be SHIPPED',
  ],
  [fresh, { orderStatus: 'CANCELLED', paymentStatus: 'PAID' }, 'A cancelled order is not paid for any more'],
  [
    state('CANCELLED', 'PENDING', 'PENDING'),
    { paymentStatus: 'PROCESSING' },
    'A cancelled order is not paid for any more',
  ],
  [fresh, { rejectionNote: 'Because.' }, noNote],
  [fresh, { orderStatus: 'CANCELLED', rejectionNote: 'Because.' }, noNote],
  [state('PENDING', 'PENDING', 'VERIFIED'), { orderStatus: 'SHIPPED', rejectionNote: 'Because.' }, noNote],
  // One thing that may be does not go through when another may not.
  [
    fresh,
    { orderStatus: 'SHIPPED', paymentStatus: 'REFUNDED' },
    'A payment that is PENDING cannot become REFUNDED',
  ],
])('from %j rejects %j and changes nothing', async (from, body, message) => {
  const id = await insertOrder(sql, holder.tokenId, client.id, from);
  const before = await tracesOf(id);
  const reply = await admin.ask('PATCH', `/admin/orders/${id}`, { body });
  expect(reply.status).toBe(403);
  const code = message === noNote ? 'REJECTION_NOTE_REFUSED' : 'ORDER_TRANSITION_REFUSED';
  expect(reply.envelope).toEqual({ success: false, statusCode: 403, code, message, data: null });
  expect(await tracesOf(id)).toEqual(before);
});

it('rejects a holder, even for their own order', async () => {
  const id = await insertOrder(sql, holder.tokenId, client.id);
  const before = await tracesOf(id);
  const reply = await holder.signedIn.ask('PATCH', `/admin/orders/${id}`, {
    body: { orderStatus: 'CANCELLED' },
  });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'ADMINISTRATOR_REQUIRED',
    message: 'This is for administrators',
    data: null,
  });
  expect(await tracesOf(id)).toEqual(before);
});
