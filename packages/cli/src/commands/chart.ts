import type { Keyfront } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { addMoney } from '../money.ts';
import { openKeyfront } from '../open-keyfront.ts';
import { drawColumns } from '../terminal/draw-columns.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';
import { chartIntervals } from './order-values.ts';

interface ChartOptions extends ProfileOption {
  readonly interval?: (typeof chartIntervals)[number];
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly revenue?: true;
  readonly json?: true;
}

type Chart = Awaited<ReturnType<Keyfront['orders']['chart']>>;

const height = 10;

/** `keyfront chart`: orders over time. */
export function addChart(program: Command, cli: Cli): void {
  const command = program
    .command('chart')
    .description(
      'draw the orders of the last 30 days, or of another time; a table where there is no terminal',
    )
    .addOption(new Option('--interval <interval>', 'what a column stands for').choices(chartIntervals))
    .option('--from <day>', 'the first day')
    .option('--to <day>', 'the last day')
    .option('--currency <code>', 'only orders in this currency')
    .option('--revenue', 'draw what they brought, and not how many they are')
    .option('--json', 'show the data as JSON on one line')
    .action((options: ChartOptions) => showChart(cli, options));
  withProfile(command);
  withExamples(command, 'keyfront chart', 'keyfront chart --revenue --interval month --from 2026-01-01');
}

async function showChart(cli: Cli, options: ChartOptions): Promise<void> {
  const { from, to, interval, currency } = options;
  const keyfront = await openKeyfront(cli, options);
  const chart = await keyfront.orders.chart(
    {
      ...(from && { startDate: from }),
      ...(to && { endDate: to }),
      ...(interval && { interval }),
      ...(currency && { currency }),
    },
    { signal: cli.signal },
  );
  if (options.json) cli.output.write(`${compactJson(chart)}\n`);
  else
    cli.output.write(cli.output.isTTY ? drawChart(cli, chart, options.revenue === true) : writeTable(chart));
}

function drawChart(cli: Cli, chart: Chart, isRevenue: boolean): string {
  const { points, interval, startDate, endDate } = chart;
  const currency = chart.currency ?? '';
  const style = styleFor(cli.output, cli.env);
  const lines = drawColumns({
    values: points.map(({ orders, revenue }) => (isRevenue ? Number(revenue) : orders)),
    ends: [points.at(0)?.date ?? '', points.at(-1)?.date ?? ''],
    writeValue: (value) => (isRevenue ? value.toFixed(2) : String(value)),
    width: cli.output.columns ?? 80,
    height,
  });
  const orders = points.reduce((sum, point) => sum + point.orders, 0);
  const revenue = addMoney(points.map((point) => point.revenue));
  return [
    style.bold(
      `${isRevenue ? `Revenue in ${currency}` : 'Orders'} by ${interval}, ${startDate} to ${endDate}`,
    ),
    ...lines,
    `${orders} orders, ${revenue} ${currency}`.trimEnd(),
    '',
  ].join('\n');
}

function writeTable({ points, currency }: Chart): string {
  const rows = points.map(({ date, orders, revenue }) => [date, String(orders), revenue, currency ?? '']);
  return formatTable(['DATE', 'ORDERS', 'REVENUE', 'CURRENCY'], rows);
}
