import type { Order, OrderExport } from '@keyfront/sdk';
import { createCsvRecordCounter } from './count-csv-records.ts';
import type { ExportFormat } from './export-format.ts';
import { ordersToJson } from './orders-to-json.ts';
import { writeWorkbook } from './write-workbook.ts';

/** The content of a file with all orders, in chunks. `onOrders` is called with the number of orders in each chunk. */
export async function* exportOrders(
  orders: OrderExport,
  format: ExportFormat,
  onOrders: (count: number) => void,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (format === 'json') yield* ordersToJson(countOrders(orders, onOrders));
  else if (format === 'xlsx') yield* writeWorkbook(countOrders(orders, onOrders));
  else {
    // The CSV file of the service, byte by byte.
    const countRecords = createCsvRecordCounter();
    for await (const chunk of orders.csv()) {
      yield chunk;
      onOrders(countRecords(chunk));
    }
  }
}

async function* countOrders(
  orders: AsyncIterable<Order>,
  onOrders: (count: number) => void,
): AsyncGenerator<Order, void, undefined> {
  for await (const order of orders) {
    yield order;
    onOrders(1);
  }
}
