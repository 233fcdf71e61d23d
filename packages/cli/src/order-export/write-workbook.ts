import type { Order } from '@keyfront/sdk';
import { ordersToXlsx } from '@keyfront/sdk/xlsx';
import { CliError } from '../cli-error.ts';

/** Writes orders as an Excel workbook, and says what to do if they do not fit. */
export async function* writeWorkbook(
  orders: AsyncIterable<Order>,
  limit?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* ordersToXlsx(orders, limit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliError(`${error.message}. Use --format csv, or limit the export with --from and --to.`);
  }
}
