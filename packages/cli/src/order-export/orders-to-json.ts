import type { Order } from '@keyfront/sdk';

/** Writes orders as a JSON array with one order per line. */
export async function* ordersToJson(orders: AsyncIterable<Order>): AsyncGenerator<string, void, undefined> {
  let separator = '[\n';
  for await (const order of orders) {
    yield separator + JSON.stringify(order);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
