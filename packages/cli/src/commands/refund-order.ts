import type { AdminOrderDetails } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { openAdministratorClient } from '../open-wallet-client.ts';
import { sumAmounts } from '../sum-amounts.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { toPlainText } from '../terminal/style.ts';
import { type LineQuantity, withLines } from './line-options.ts';
import {
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withIdempotencyKey,
  withJson,
} from './shared-options.ts';

interface RefundOptions extends ConnectionOptions {
  readonly amount?: string;
  readonly line?: LineQuantity[];
  readonly reason: string;
  readonly restock?: true;
  readonly yes?: true;
  readonly idempotencyKey?: string;
  readonly json?: true;
}

const flags = {
  orderId: '<order-id>',
  amount: '--amount',
  orderLines: '--line',
  reason: '--reason',
  restock: '--restock',
};

/** Makes `keyfront orders refund` of a command that has the id of an order. Returns its examples. */
export function makeRefund(command: Command, context: Context, exampleId: string): readonly string[] {
  command.option('--amount <amount>', 'amount to refund; without it and --line, everything that is left');
  withLines(command, 'what is refunded, at the price of the order', ['amount'])
    .requiredOption('--reason <text>', 'reason for the refund')
    .addOption(new Option('--restock', 'return the refunded units to the stock').conflicts('amount'))
    .action((id: string, options: RefundOptions) => refundOrder(context, id, options));
  withDescription(
    command,
    'Record a refund of an order',
    'Keyfront moves no money: return it with your payment provider. Needs the profile of an administrator.',
  );
  withConfirmation(command);
  withIdempotencyKey(command);
  withConnection(withJson(command), context);
  const examples = [
    `keyfront orders refund ${exampleId} --amount 12.50 --reason 'The jar arrived broken.' --profile admin`,
    `keyfront orders refund ${exampleId} --line 019a8f3e-7c00-7000-8000-000000000601=1 --restock --reason Returned --profile admin`,
  ];
  withExamples(command, context, ...examples);
  return examples;
}

async function refundOrder(context: Context, orderId: string, options: RefundOptions): Promise<void> {
  const { amount, line, reason, restock, idempotencyKey } = options;
  const { signal, stdin, stdout } = context;
  const keyfront = await openAdministratorClient(context, options, 'Only an administrator refunds orders.');
  const { orders } = keyfront.admin;
  if (!options.yes && stdin.isTTY) {
    const order = await withFlagNames(flags, () => orders.get(orderId, { signal }));
    await confirm(context, describeRefund(order, options));
  }
  const body = {
    reason,
    ...(amount !== undefined && { amount }),
    ...(line && { orderLines: line }),
    ...(restock && { restock }),
  };
  // Without a key of the caller, the SDK sends one of its own.
  const refund = await withFlagNames(flags, () =>
    orders.refund(orderId, body, { signal, ...(idempotencyKey && { idempotencyKey }) }),
  );
  const text = `Recorded a refund of ${refund.amount.toFixed(2)} ${refund.currency} for order ${orderId}.`;
  stdout.write(`${options.json ? compactJson(refund) : text}\n`);
}

/** What a person needs to know to say yes. Whether it is possible, the service knows. */
function describeRefund(order: AdminOrderDetails, { amount, line, restock }: RefundOptions): string {
  const { currency, invoiceNumber, client, paidAmount, refundedAmount } = order;
  const left = sumAmounts([paidAmount, -refundedAmount]);
  const priceOf = ({ id, quantity }: LineQuantity) =>
    (order.orderLines.find((each) => each.id === id)?.productAmount ?? 0) * quantity;
  const refunded = amount ?? (line ? sumAmounts(line.map(priceOf)) : left);
  const stock = restock ? ' and return the units to the stock' : '';
  const customer = `${client.firstName} ${client.lastName}`;
  return toPlainText(
    `Refund ${refunded} of ${left} ${currency} that ${customer} paid for ${invoiceNumber}${stock}?`,
  );
}
