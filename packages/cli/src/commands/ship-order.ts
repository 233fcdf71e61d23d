import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { openAdministratorClient } from '../open-wallet-client.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type LineQuantity, withLines } from './line-options.ts';
import {
  withConnection,
  withDescription,
  withExamples,
  withIdempotencyKey,
  withJson,
} from './shared-options.ts';

interface ShipOptions extends ConnectionOptions {
  readonly carrier: string;
  readonly trackingNumber?: string;
  readonly trackingUrl?: string;
  readonly line?: LineQuantity[];
  readonly idempotencyKey?: string;
  readonly json?: true;
}

const flags = {
  orderId: '<order-id>',
  carrier: '--carrier',
  trackingNumber: '--tracking-number',
  trackingUrl: '--tracking-url',
  orderLines: '--line',
};

/** Makes `keyfront orders ship` of a command that has the id of an order. Returns its examples. */
export function makeShip(command: Command, context: Context, exampleId: string): readonly string[] {
  command
    .requiredOption('--carrier <name>', 'who carries the parcel')
    .option('--tracking-number <number>', 'tracking number of the carrier')
    .option('--tracking-url <url>', 'page on which the customer tracks the parcel')
    .action((id: string, options: ShipOptions) => shipOrder(context, id, options));
  withLines(command, 'what the parcel contains; everything that is left by default');
  withDescription(
    command,
    'Record a parcel of an order',
    'The order must be approved. It becomes SHIPPED when nothing is left to send. Needs the profile of an administrator.',
  );
  withIdempotencyKey(command);
  withConnection(withJson(command), context);
  const examples = [
    `keyfront orders ship ${exampleId} --carrier 'CTT Expresso' --tracking-number EA123456789PT --profile admin`,
    `keyfront orders ship ${exampleId} --carrier DHL --line 019a8f3e-7c00-7000-8000-000000000601=2 --profile admin`,
  ];
  withExamples(command, context, ...examples);
  return examples;
}

async function shipOrder(context: Context, orderId: string, options: ShipOptions): Promise<void> {
  const { carrier, trackingNumber, trackingUrl, line, idempotencyKey } = options;
  const keyfront = await openAdministratorClient(context, options, 'Only an administrator ships orders.');
  const body = {
    carrier,
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
    ...(line && { orderLines: line }),
  };
  // Without a key of the caller, the SDK sends one of its own.
  const shipment = await withFlagNames(flags, () =>
    keyfront.admin.orders.ship(orderId, body, {
      signal: context.signal,
      ...(idempotencyKey && { idempotencyKey }),
    }),
  );
  const text = `Recorded shipment ${shipment.id} of order ${orderId}.`;
  context.stdout.write(`${options.json ? compactJson(shipment) : text}\n`);
}
