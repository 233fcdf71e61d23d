import type { Order } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { makeOrder } from '../../test/cli-harness.ts';
import { ordersToJson } from './orders-to-json.ts';

async function* stream(...orders: Order[]): AsyncGenerator<Order> {
  yield* orders;
}

it.each([0, 1, 3])('writes %i orders as a JSON array with one order per line', async (count) => {
  const orders = Array.from({ length: count }, (_, index) => makeOrder(index));
  let text = '';
  for await (const chunk of ordersToJson(stream(...orders))) text += chunk;
  expect(JSON.parse(text)).toEqual(orders);
  expect(text.split('\n')).toHaveLength(count === 0 ? 2 : count + 3);
});
