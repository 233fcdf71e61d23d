import { pipeline } from 'node:stream/promises';
import type { Keyfront, OrderExportFilters } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { listChoices } from '../api-catalogue.ts';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { chooseFormat, type ExportFormat, exportFormats } from '../order-export/export-format.ts';
import { exportOrders } from '../order-export/export-orders.ts';
import { writeFileAtomically } from '../order-export/write-file-atomically.ts';
import { formatByteCount, formatDuration } from '../terminal/format-quantity.ts';
import { startProgressBar } from '../terminal/progress-bar.ts';
import { styleFor } from '../terminal/style.ts';
import { withConnection, withDescription, withExamples } from './shared-options.ts';

interface ExportOptions extends ConnectionOptions {
  readonly output: string;
  readonly format?: ExportFormat;
  readonly csv?: true;
  readonly json?: true;
  readonly xlsx?: true;
  readonly from?: string;
  readonly to?: string;
  readonly status?: NonNullable<OrderExportFilters['status']>;
  readonly payment?: NonNullable<OrderExportFilters['paymentStatus']>;
  readonly approval?: NonNullable<OrderExportFilters['adminApproval']>;
  readonly search?: string;
  readonly searchBy?: NonNullable<OrderExportFilters['searchBy']>;
  readonly orderBy?: NonNullable<OrderExportFilters['orderBy']>;
  readonly quiet?: true;
}

const flags = {
  startDate: '--from',
  endDate: '--to',
  status: '--status',
  paymentStatus: '--payment',
  adminApproval: '--approval',
  search: '--search',
  searchBy: '--search-by',
  orderBy: '--order-by',
};

/** `keyfront orders export`: writes all matching orders to a file. Returns its examples. */
export function addOrderExport(orders: Command, context: Context): readonly string[] {
  const command = orders
    .command('export')
    .option('-o, --output <file>', 'file to write, - for standard output', '-')
    .addOption(
      new Option('--format <format>', 'format of the file; inferred from its extension').choices(
        exportFormats,
      ),
    )
    .option('--csv', 'same as --format csv')
    .option('--json', 'same as --format json')
    .option('--xlsx', 'same as --format xlsx')
    .option('--from <date>', 'only orders placed at or after this date or date-time')
    .option('--to <date>', 'only orders placed at or before this date-time; a date includes the whole day')
    .addOption(createFilter('--status <status>', 'only orders with this status', 'status'))
    .addOption(createFilter('--payment <status>', 'only orders with this payment status', 'paymentStatus'))
    .addOption(createFilter('--approval <status>', 'only orders with this approval', 'adminApproval'))
    .option('--search <text>', 'only orders that contain this text')
    .addOption(createFilter('--search-by <field>', 'search only this field', 'searchBy'))
    .addOption(createFilter('--order-by <order>', 'sort order; newest first by default', 'orderBy'))
    .option('--quiet', 'print neither progress nor a summary')
    .action((options: ExportOptions) => runExport(context, options));
  withDescription(
    command,
    'Export orders as CSV, JSON or an Excel workbook',
    'The file appears only when it is complete. An interrupted export leaves no file. Orders that the service has archived are in CSV files only.',
  );
  withConnection(command, context);
  const examples = [
    'keyfront orders export -o orders.csv',
    'keyfront orders export -o november.xlsx --from 2026-11-01 --to 2026-11-30 --status DELIVERED',
    "keyfront orders export --format json --search ada | jq '.[].invoiceNumber'",
  ];
  withExamples(command, context, ...examples);
  return examples;
}

/** An option for an enumerated parameter of the API. */
function createFilter(
  optionFlags: string,
  description: string,
  parameter: Parameters<typeof listChoices<'exportOrders'>>[1],
): Option {
  return new Option(optionFlags, description).choices(listChoices('exportOrders', parameter));
}

async function runExport(context: Context, options: ExportOptions): Promise<void> {
  const { stdout, stderr } = context;
  const { format, conflict } = chooseFormat(readExplicitFormat(options), options.output);
  if (options.output === '-' && format === 'xlsx' && stdout.isTTY) {
    throw usageError('A spreadsheet cannot be shown on a terminal. Choose a file with --output.');
  }
  if (conflict) stderr.write(`${styleFor(stderr, context.env).yellow('warning:')} ${conflict}\n`);
  const keyfront = await openClient(context, options);
  const startedAtMs = context.now().getTime();
  const written = await withFlagNames(flags, () => writeExport(context, keyfront, options, format));
  const durationMs = context.now().getTime() - startedAtMs;
  if (!options.quiet) stderr.write(summarize(options.output, written, durationMs));
}

interface WrittenExport {
  readonly orderCount: number;
  readonly byteCount: number;
}

async function writeExport(
  { stdout, stderr, signal }: Context,
  keyfront: Keyfront,
  options: ExportOptions,
  format: ExportFormat,
): Promise<WrittenExport> {
  const { output, quiet } = options;
  const filters = readFilters(options);
  // The number of orders is needed only to draw the progress.
  const total = stderr.isTTY && !quiet ? await countOrders(keyfront, filters, signal) : null;
  const progress = total === null ? null : startProgressBar(stderr, total, 'orders');
  let orderCount = 0;
  let byteCount = 0;
  const chunks = exportOrders(keyfront.orders.export(filters, { signal }), format, (count) => {
    orderCount += count;
    progress?.advance(count);
  });
  const measuredChunks = measureBytes(chunks, (count) => {
    byteCount += count;
  });
  try {
    if (output === '-') await pipeline(measuredChunks, stdout, { end: false });
    else await writeFileAtomically(output, measuredChunks);
  } finally {
    progress?.clear();
  }
  return { orderCount, byteCount };
}

async function countOrders(
  keyfront: Keyfront,
  filters: OrderExportFilters,
  signal: AbortSignal,
): Promise<number> {
  const { pageMetaDto } = await keyfront.orders.export({ ...filters, take: 1 }, { signal }).page(1);
  return pageMetaDto.itemCount;
}

function summarize(output: string, { orderCount, byteCount }: WrittenExport, durationMs: number): string {
  const orders = `${orderCount} ${orderCount === 1 ? 'order' : 'orders'}`;
  const target = output === '-' ? 'standard output' : output;
  return `Wrote ${orders} to ${target} (${formatByteCount(byteCount)} in ${formatDuration(durationMs)}).\n`;
}

async function* measureBytes(
  chunks: AsyncIterable<string | Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    onBytes(Buffer.byteLength(chunk));
    yield chunk;
  }
}

function readExplicitFormat(options: ExportOptions): ExportFormat | undefined {
  const selected = exportFormats.filter((format) => options.format === format || options[format]);
  if (selected.length > 1) {
    throw usageError(`Select one format, not ${selected.join(' and ')}`);
  }
  return selected[0];
}

function readFilters(options: ExportOptions): OrderExportFilters {
  const { from, to, status, payment, approval, search, searchBy, orderBy } = options;
  return {
    ...(from && { startDate: from }),
    ...(to && { endDate: to }),
    ...(status && { status }),
    ...(payment && { paymentStatus: payment }),
    ...(approval && { adminApproval: approval }),
    ...(search && { search }),
    ...(searchBy && { searchBy }),
    ...(orderBy && { orderBy }),
  };
}
