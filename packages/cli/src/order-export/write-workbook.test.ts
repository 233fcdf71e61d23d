import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { makeExportedOrder } from '../../../../test/support/exported-order.ts';
import { CliError } from '../cli-error.ts';
import { writeWorkbook } from './write-workbook.ts';

it('says what to do about orders that do not fit into a sheet', async () => {
  const orders = (async function* () {
    yield* [1, 2, 3].map(makeExportedOrder);
  })();
  await expect(buffer(writeWorkbook(orders, 2))).rejects.toThrow(
    new CliError(
      'A spreadsheet holds at most 2 orders. Use --format csv, or limit the export with --from and --to.',
    ),
  );
});
