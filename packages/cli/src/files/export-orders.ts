import type { OrderExport } from '@keyfront/sdk';
import type { Order } from './order.ts';
import { ordersToJson } from './orders-to-json.ts';
import { ordersToXlsx } from './orders-to-xlsx.ts';

export type ExportFormat = 'csv' | 'json' | 'xlsx';

/** The content of a file with all orders, piece by piece; `onProgress` hears how many orders each piece has. */
export async function* exportOrders(
  orders: OrderExport,
  format: ExportFormat,
  onProgress: (count: number) => void,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (format === 'json') yield* ordersToJson(counted(orders, onProgress));
  else if (format === 'xlsx') yield await ordersToXlsx(counted(orders, onProgress));
  else {
    for await (const piece of orders.csv()) {
      yield piece;
      onProgress(countLines(piece));
    }
  }
}

async function* counted(
  orders: AsyncIterable<Order>,
  onProgress: (count: number) => void,
): AsyncGenerator<Order, void, undefined> {
  for await (const order of orders) {
    yield order;
    onProgress(1);
  }
}

/** Near enough for a bar: the head is a line too, and a name may hold a line break. */
function countLines(piece: Uint8Array): number {
  let lines = 0;
  for (const byte of piece) if (byte === 0x0a) lines++;
  return lines;
}
