import { expect, it } from 'vitest';
import { makeOrder } from '../../test/world.ts';
import type { Order } from './order.ts';
import { ordersToJson } from './orders-to-json.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

it.each([0, 1, 3])('%i orders become a JSON array, an order on each line', async (count) => {
  const orders = Array.from({ length: count }, (_, index) => makeOrder(index));
  let text = '';
  for await (const piece of ordersToJson(stream(...orders))) text += piece;
  expect(JSON.parse(text)).toEqual(orders);
  expect(text.split('\n')).toHaveLength(count === 0 ? 2 : count + 3);
});
