import type { OrderChart, OrderChartQuery } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { listChoices } from '../api-catalogue.ts';
import type { Context, Output } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { sumAmounts } from '../sum-amounts.ts';
import { drawColumnChart } from '../terminal/column-chart.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface ChartOptions extends ConnectionOptions {
  readonly interval?: NonNullable<OrderChartQuery['interval']>;
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly revenue?: true;
  readonly json?: true;
}

const chartHeight = 10;
const flags = { startDate: '--from', endDate: '--to', interval: '--interval', currency: '--currency' };

/** `keyfront chart`: shows orders over time. */
export function addChart(program: Command, context: Context): void {
  const command = program
    .command('chart')
    .addOption(
      new Option('--interval <interval>', 'period of one column').choices(
        listChoices('getOrderChart', 'interval'),
      ),
    )
    .option('--from <date>', 'first day, such as 2026-11-01')
    .option('--to <date>', 'last day')
    .option('--currency <code>', 'only orders in this currency, such as EUR')
    .option('--revenue', 'draw the revenue instead of the number of orders')
    .action((options: ChartOptions) => showChart(context, options));
  withDescription(
    command,
    'Draw a chart of orders or revenue over time',
    'Covers the last 30 days by default. Prints a table if the output is not a terminal.',
  );
  withJson(command);
  withConnection(command, context);
  withExamples(
    command,
    context,
    'keyfront chart',
    'keyfront chart --revenue --interval month --from 2026-01-01',
  );
}

async function showChart(context: Context, options: ChartOptions): Promise<void> {
  const { from, to, interval, currency } = options;
  const { stdout } = context;
  const keyfront = await openClient(context, options);
  const query = {
    ...(from && { startDate: from }),
    ...(to && { endDate: to }),
    ...(interval && { interval }),
    ...(currency && { currency }),
  };
  const chart = await withFlagNames(flags, () => keyfront.orders.chart(query, { signal: context.signal }));
  if (options.json) stdout.write(`${compactJson(chart)}\n`);
  else
    stdout.write(stdout.isTTY ? drawChart(context, chart, options.revenue === true) : toTable(chart, stdout));
}

function drawChart(context: Context, chart: OrderChart, isRevenue: boolean): string {
  const { points, interval, startDate, endDate } = chart;
  const currency = chart.currency ?? '';
  const { bold } = styleFor(context.stdout, context.env);
  const lines = drawColumnChart({
    values: points.map(({ orders, revenue }) => (isRevenue ? revenue : orders)),
    ends: [points.at(0)?.date ?? '', points.at(-1)?.date ?? ''],
    formatValue: (value) => (isRevenue ? value.toFixed(2) : String(value)),
    width: context.stdout.columns ?? 80,
    height: chartHeight,
  });
  const orders = points.reduce((sum, point) => sum + point.orders, 0);
  const revenue = sumAmounts(points.map((point) => point.revenue));
  return [
    bold(`${isRevenue ? `Revenue in ${currency}` : 'Orders'} per ${interval}, ${startDate} to ${endDate}`),
    ...lines,
    `${orders} orders, ${revenue} ${currency}`.trimEnd(),
    '',
  ].join('\n');
}

function toTable({ points, currency }: OrderChart, output: Output): string {
  const columns: Column<OrderChart['points'][number]>[] = [
    { title: 'DATE', cell: ({ date }) => date },
    { title: 'ORDERS', cell: ({ orders }) => String(orders) },
    { title: 'REVENUE', cell: ({ revenue }) => revenue.toFixed(2) },
    { title: 'CURRENCY', cell: () => currency ?? '' },
  ];
  return formatTable(columns, points, output);
}
