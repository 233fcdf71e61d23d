import { pipeline } from 'node:stream/promises';
import type { OrderExportFilters } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { type ExportFormat, exportOrders } from '../files/export-orders.ts';
import { writeWholeFile } from '../files/write-whole-file.ts';
import { openKeyfront } from '../open-keyfront.ts';
import { startProgress } from '../terminal/progress.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';
import { approvals, orderSearchFields, orderStatuses, paymentStatuses } from './order-values.ts';

interface ExportOptions extends ProfileOption {
  readonly csv?: true;
  readonly json?: true;
  readonly xlsx?: true;
  readonly output: string;
  readonly from?: string;
  readonly to?: string;
  readonly status?: (typeof orderStatuses)[number];
  readonly payment?: (typeof paymentStatuses)[number];
  readonly approval?: (typeof approvals)[number];
  readonly search?: string;
  readonly searchBy?: (typeof orderSearchFields)[number];
  readonly orderBy?: Exclude<OrderExportFilters['orderBy'], undefined>;
}

const formats: readonly ExportFormat[] = ['csv', 'json', 'xlsx'];

/** `keyfront orders export`: all orders that match, as a file. */
export function addOrders(program: Command, cli: Cli): void {
  const command = program
    .command('orders')
    .description('work with orders')
    .command('export')
    .description('write all orders that match to a file, which appears only when it is whole')
    .requiredOption('-o, --output <file>', 'the file to write; - for the standard output')
    .option('--csv', 'as CSV')
    .option('--json', 'as a JSON array')
    .option('--xlsx', 'as a spreadsheet for Excel')
    .option('--from <moment>', 'only orders placed then or later: a date or a date-time')
    .option('--to <moment>', 'only orders placed then or earlier; a date includes that day')
    .addOption(new Option('--status <status>', 'only of this status').choices(orderStatuses))
    .addOption(new Option('--payment <status>', 'only with this payment').choices(paymentStatuses))
    .addOption(new Option('--approval <approval>', 'only of this approval').choices(approvals))
    .option('--search <text>', 'only where this is a part of what --search-by names')
    .addOption(
      new Option('--search-by <field>', 'where to search; in all when not given').choices(orderSearchFields),
    )
    .option(
      '--order-by <order>',
      'asc, desc, or createdAt, updatedAt, totalAmount, invoiceNumber with :asc or :desc',
    )
    .action((options: ExportOptions) => exportToFile(cli, options));
  withProfile(command);
  withExamples(
    command,
    'keyfront orders export --csv -o orders.csv',
    'keyfront orders export --xlsx --from 2026-11-01 --to 2026-11-30 --status DELIVERED -o november.xlsx',
    "keyfront orders export --json --search ada -o - | jq '.[].invoiceNumber'",
  );
}

async function exportToFile(cli: Cli, options: ExportOptions): Promise<void> {
  const format = readFormat(options);
  const isStandardOutput = options.output === '-';
  if (isStandardOutput && format === 'xlsx' && cli.output.isTTY) {
    throw misuse('A spreadsheet is nothing for a terminal: name a file with -o');
  }
  const keyfront = await openKeyfront(cli, options);
  const filters = readFilters(options);
  const call = { signal: cli.signal };
  // Asked only for the bar.
  const total = cli.errors.isTTY
    ? (await keyfront.orders.export({ ...filters, take: 1 }, call).page(1)).pageMetaDto.itemCount
    : 0;
  const progress = startProgress(cli.errors, total);
  try {
    const pieces = exportOrders(keyfront.orders.export(filters, call), format, progress.advance);
    if (isStandardOutput) await pipeline(pieces, cli.output, { end: false });
    else await writeWholeFile(options.output, pieces);
  } finally {
    progress.end();
  }
}

function readFormat(options: ExportOptions): ExportFormat {
  const [format, ...others] = formats.filter((each) => options[each]);
  if (format === undefined || others.length > 0) throw misuse('Take one of --csv, --json and --xlsx');
  return format;
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
