import type { Order } from '@keyfront/sdk';
import { daysToMoments } from '../../filters/local-days.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { countRows } from './count-rows.ts';
import type { OrderFilters } from './order-filters.ts';

/** The files that orders are exported to, with what their media type is. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type ExportFormat = keyof typeof exportFormats;

interface ExportOptions {
  readonly signal: AbortSignal;
  /** Called with the number of orders that the file has so far. */
  readonly onProgress: (orders: number) => void;
}

/** How many orders of a workbook pass between two reports. */
const reportEvery = 100;

/** Makes a file with all orders that match the filters. */
export async function exportOrders(
  { clientId: _clientId, externalReference: _reference, refundDue: _refundDue, ...filters }: OrderFilters,
  format: ExportFormat,
  { signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const orders = getKeyfront().orders.export(daysToMoments(filters), { signal });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  if (format === 'csv') {
    const counter = countRows();
    for await (const chunk of orders.csv()) {
      chunks.push(new Uint8Array(chunk));
      onProgress(counter.add(chunk));
    }
  } else {
    // Loaded on demand: few visits export anything.
    const { ordersToXlsx } = await import('@keyfront/sdk/xlsx');
    for await (const chunk of ordersToXlsx(countOrders(orders, onProgress))) chunks.push(chunk);
  }
  return new Blob(chunks, { type: exportFormats[format] });
}

async function* countOrders(
  orders: AsyncIterable<Order>,
  onProgress: (orders: number) => void,
): AsyncGenerator<Order, void, undefined> {
  let count = 0;
  for await (const order of orders) {
    yield order;
    count += 1;
    if (count % reportEvery === 0) onProgress(count);
  }
  onProgress(count);
}
