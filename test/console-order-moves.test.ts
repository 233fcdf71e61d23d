import { expect, it } from 'vitest';
import { orderMoves, paymentMoves } from '../packages/console/src/pages/admin/orders/order-moves.ts';
import { orderTransitions, paymentTransitions } from '../packages/server/src/resources/transitions.ts';

it('the console offers administrators the moves that the service allows', () => {
  expect(orderMoves).toEqual(orderTransitions.ADMINISTRATOR);
  expect(paymentMoves).toEqual(paymentTransitions.ADMINISTRATOR);
});
