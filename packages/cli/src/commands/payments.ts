import type { Checkout } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface PaymentOptions extends ConnectionOptions {
  readonly returnUrl?: string;
  readonly json?: true;
}

const flags = { orderId: '<order-id>', returnUrl: '--return-url' };
const exampleId = '019a8f3e-7c00-7000-8000-000000000501';

/** `keyfront payments`: checkouts of orders. */
export function addPayments(program: Command, context: Context): void {
  const payments = program.command('payments');
  withDescription(
    payments,
    'Open, show and cancel checkouts of orders',
    'A checkout is a link at which the customer pays.',
  );
  withExamples(payments, context, `keyfront payments status ${exampleId}`);

  const addPayment = (name: string, run: (orderId: string, options: PaymentOptions) => Promise<void>) => {
    const command = payments.command(name).argument('<order-id>', 'id of the order').action(run);
    withJson(command);
    withConnection(command, context);
    return command;
  };

  const checkout = addPayment('checkout', (orderId, options) => openPayment(context, orderId, options));
  checkout.option('--return-url <url>', 'where the customer returns to after the payment');
  withDescription(
    checkout,
    'Open a checkout for an order',
    'Prints the link at which the customer pays. While it is valid, the same link is printed again.',
  );
  withExamples(
    checkout,
    context,
    `keyfront payments checkout ${exampleId} --return-url https://shop.example`,
  );

  const status = addPayment('status', (orderId, options) => showCheckout(context, orderId, options));
  withDescription(status, 'Show the state of a payment');
  withExamples(status, context, `keyfront payments status ${exampleId}`);

  const cancel = addPayment('cancel', (orderId, options) => cancelCheckout(context, orderId, options));
  withDescription(cancel, 'Make the link of a checkout invalid', 'The order stays.');
  withExamples(cancel, context, `keyfront payments cancel ${exampleId}`);
}

async function openPayment(context: Context, orderId: string, options: PaymentOptions): Promise<void> {
  const { returnUrl } = options;
  const keyfront = await openClient(context, options);
  const body = returnUrl === undefined ? { orderId } : { orderId, returnUrl };
  const checkout = await withFlagNames(flags, () =>
    keyfront.payments.checkout(body, { signal: context.signal }),
  );
  context.stdout.write(`${options.json ? compactJson(checkout) : checkout.payUrl}\n`);
}

async function showCheckout(context: Context, orderId: string, options: PaymentOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  const checkout = await withFlagNames(flags, () =>
    keyfront.payments.status(orderId, { signal: context.signal }),
  );
  printState(context, checkout, options);
}

async function cancelCheckout(context: Context, orderId: string, options: PaymentOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  const checkout = await withFlagNames(flags, () =>
    keyfront.payments.cancel(orderId, { signal: context.signal }),
  );
  printState(context, checkout, options);
}

function printState({ stdout }: Context, checkout: Checkout, { json }: PaymentOptions): void {
  const { status, amount, currency, payUrl } = checkout;
  const text = `${status}, ${amount.toFixed(2)} ${currency}${payUrl === null ? '' : `: ${payUrl}`}`;
  stdout.write(`${json ? compactJson(checkout) : text}\n`);
}
