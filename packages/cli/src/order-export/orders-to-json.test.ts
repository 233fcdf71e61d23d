import type { Order } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { makeExportedOrder } from '../../../../test/support/exported-order.ts';
import { ordersToJson } from './orders-to-json.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

it.each([0, 1, 3])('writes %i orders as a JSON array with one order per line', async (count) => {
  const orders = Array.from({ length: count }, (_, index) => makeExportedOrder(index));
  let text = '';
  for await (const chunk of ordersToJson(stream(...orders))) text += chunk;
  expect(JSON.parse(text)).toEqual(orders);
  expect(text.split('\n')).toHaveLength(count === 0 ? 2 : count + 3);
});
