import { Readable } from 'node:stream';
import type { Order, OrderListQuery } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { makeListCommand } from '../lists/list-command.ts';
import { type OrderReads, openOrders } from '../open-orders.ts';
import { writeFileAtomically } from '../order-export/write-file-atomically.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import type { Column } from '../terminal/table.ts';
import { addOrderExport } from './export-orders.ts';
import { makeRefund } from './refund-order.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';
import { makeShip } from './ship-order.ts';
import { makeCancel, makeUpdate } from './update-order.ts';

/** The ID is never cut, because the other commands need all of it. */
const columns: readonly Column<Order>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'INVOICE', cell: ({ invoiceNumber }) => invoiceNumber, leaveOutRank: 2 },
  {
    title: 'CLIENT',
    cell: ({ client }) => `${client.firstName} ${client.lastName}`,
    minWidth: 8,
    leaveOutRank: 4,
  },
  { title: 'STATUS', cell: ({ orderStatus }) => orderStatus },
  { title: 'PAYMENT', cell: ({ paymentStatus }) => paymentStatus, leaveOutRank: 1 },
  { title: 'APPROVAL', cell: ({ adminApproval }) => adminApproval, leaveOutRank: 3 },
  { title: 'TOTAL', cell: ({ totalAmount, currency }) => `${totalAmount.toFixed(2)} ${currency}` },
  {
    title: 'PLACED',
    cell: ({ createdAt }) => createdAt,
    shortCell: ({ createdAt }) => createdAt.slice(0, 10),
    leaveOutRank: 5,
  },
];

const ofAdministrator = 'An administrator sees the orders of all digital keys.';

const exampleId = '019a8f3e-7c00-7000-8000-000000000501';

/** `keyfront orders list|get|invoice|update|cancel|ship|refund|export`. */
export function addOrders(program: Command, context: Context): void {
  const orders = program.command('orders');
  withDescription(orders, 'List, show, print, change, ship, refund and export orders');

  const list = orders.command('list');
  withDescription(list, 'List orders, newest first', ofAdministrator);
  makeListCommand<Order, OrderListQuery, OrderReads>(list, context, {
    operation: 'listOrders',
    // As in `orders export`.
    names: { startDate: 'from', endDate: 'to', paymentStatus: 'payment', adminApproval: 'approval' },
    columns,
    nothing: 'No orders.',
    list: (orders, query, options) => orders.list(query, options),
    open: openOrders,
  });
  const listExample = 'keyfront orders list --status PENDING --from 2026-11-01 --limit 20';
  withExamples(list, context, listExample, "keyfront orders list --json | jq -r '.[].invoiceNumber'");

  const addCommand = (name: string) =>
    orders.command(name).argument('<order-id>', 'ID of the order, from `keyfront orders list`');
  const get = addCommand('get').action((id: string, options: GetOptions) => showOrder(context, id, options));
  withDescription(
    get,
    'Show an order',
    `Prints the order as JSON, with its lines and its address. ${ofAdministrator}`,
  );
  withJson(get);
  withConnection(get, context);
  const getExample = `keyfront orders get ${exampleId}`;
  withExamples(get, context, getExample);

  const invoice = addCommand('invoice')
    .option('-o, --output <file>', 'file to write, - for standard output', '-')
    .action((id: string, options: InvoiceOptions) => printInvoice(context, id, options));
  withDescription(invoice, 'Get the invoice of an order', `Prints it as an HTML page. ${ofAdministrator}`);
  withConnection(invoice, context);
  const invoiceExample = `keyfront orders invoice ${exampleId} -o invoice.html`;
  withExamples(invoice, context, invoiceExample);

  const [updateExample = ''] = makeUpdate(addCommand('update'), context, exampleId);
  const [cancelExample = ''] = makeCancel(addCommand('cancel'), context, exampleId);
  const [shipExample = ''] = makeShip(addCommand('ship'), context, exampleId);
  const [refundExample = ''] = makeRefund(addCommand('refund'), context, exampleId);

  const [exportExample = ''] = addOrderExport(orders, context);
  withExamples(
    orders,
    context,
    ...[listExample, getExample, invoiceExample, updateExample, cancelExample],
    ...[shipExample, refundExample, exportExample],
  );
}

interface GetOptions extends ConnectionOptions {
  readonly json?: true;
}

async function showOrder(context: Context, id: string, options: GetOptions): Promise<void> {
  const { stdout, env, signal } = context;
  const orders = await openOrders(context, options);
  const order = await withFlagNames({ orderId: '<order-id>' }, () => orders.get(id, { signal }));
  stdout.write(`${options.json ? compactJson(order) : prettyJson(order, styleFor(stdout, env))}\n`);
}

interface InvoiceOptions extends ConnectionOptions {
  readonly output: string;
}

async function printInvoice(context: Context, id: string, options: InvoiceOptions): Promise<void> {
  const { stdout, stderr, signal } = context;
  const { output } = options;
  const orders = await openOrders(context, options);
  const page = await withFlagNames({ orderId: '<order-id>' }, () => orders.invoice(id, { signal }));
  if (output === '-') return void stdout.write(page);
  await writeFileAtomically(output, Readable.from([page]));
  stderr.write(`Wrote ${output}.\n`);
}
