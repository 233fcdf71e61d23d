import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type AdminClientChange,
  type AdminOrderChange,
  AuthenticationError,
  ForbiddenError,
  type Keyfront,
  type Order,
  type Strain,
} from '@keyfront/sdk';
import { Argument, type Command } from 'commander';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { createAnonymousClient, createClient } from '../create-client.ts';
import { readDemoFile } from '../credentials/demo-file.ts';
import { signInWallet } from '../credentials/sign-in-wallet.ts';
import { readWallet, type Wallet } from '../credentials/wallet.ts';
import { describeError } from '../describe-error.ts';
import { withDescription, withExamples } from './shared-options.ts';

/** The clients of a demo: one that acts as a holder, and one that acts as an administrator. */
interface DemoClients {
  readonly holder: Keyfront;
  readonly admin: Keyfront;
  readonly signal: AbortSignal;
}

const approved: AdminClientChange = { adminApproval: 'VERIFIED', isKYCVerified: true };

/** What an administrator does to a new client for each type. */
const clientSteps: Readonly<Record<string, readonly AdminClientChange[]>> = {
  'client.created': [],
  'client.approved': [{ adminApproval: 'VERIFIED' }],
  'client.rejected': [{ adminApproval: 'REJECTED' }],
  'client.kyc_verified': [{ isKYCVerified: true }],
};
/** What an administrator does to a new order for each type. */
const orderSteps: Readonly<Record<string, readonly AdminOrderChange[]>> = {
  'order.created': [],
  'order.approved': [{ adminApproval: 'VERIFIED' }],
  'order.rejected': [{ adminApproval: 'REJECTED' }],
  'order.processing': [{ adminApproval: 'VERIFIED' }, { orderStatus: 'PROCESSING' }],
  'order.shipped': [{ adminApproval: 'VERIFIED' }, { orderStatus: 'PROCESSING' }, { orderStatus: 'SHIPPED' }],
  'order.delivered': [
    { adminApproval: 'VERIFIED' },
    { orderStatus: 'PROCESSING' },
    { orderStatus: 'SHIPPED' },
    { orderStatus: 'DELIVERED' },
  ],
  'order.cancelled': [{ orderStatus: 'CANCELLED' }],
  'payment.processing': [{ paymentStatus: 'PROCESSING' }],
  'payment.paid': [{ paymentStatus: 'PROCESSING' }, { paymentStatus: 'PAID' }],
  'payment.failed': [{ paymentStatus: 'PROCESSING' }, { paymentStatus: 'FAILED' }],
  'payment.refunded': [
    { paymentStatus: 'PROCESSING' },
    { paymentStatus: 'PAID' },
    { paymentStatus: 'REFUNDED' },
  ],
};
/** Other names that people type. */
const aliases: Readonly<Record<string, string>> = { 'order.paid': 'payment.paid' };
const types = [...Object.keys(clientSteps), ...Object.keys(orderSteps), ...Object.keys(aliases)];

/** `keyfront trigger`: causes an event in a demo. */
export function addTrigger(program: Command, context: Context): void {
  const command = program
    .command('trigger')
    .addArgument(new Argument('<type>', 'type of the event to cause').choices(types))
    .option(
      '--demo <file>',
      'demo.json of the service',
      join(context.env.KEYFRONT_DATA || '.keyfront', 'demo.json'),
    )
    .option('--keep', 'do not cancel the order or archive the client afterwards')
    .action((type: string, options: TriggerOptions) => trigger(context, type, options));
  withDescription(
    command,
    'Cause an event in a demo, to test a receiver',
    'Creates a client, and an order if the event needs one, for the first holder of the demo, and changes them until the event happens. ' +
      'Then cancels the order and archives the client, which causes further events. An order that is paid or shipped stays. Works only ' +
      'with a service that has demo data. `keyfront-server reset-demo` removes what stays.',
  );
  withExamples(
    command,
    context,
    'keyfront trigger order.created',
    'keyfront trigger payment.paid --keep',
    'keyfront trigger client.approved --demo /var/lib/keyfront/demo.json',
  );
}

interface TriggerOptions {
  readonly demo: string;
  readonly keep?: true;
}

async function trigger(context: Context, name: string, options: TriggerOptions): Promise<void> {
  const { demo: demoFile, keep } = options;
  const { signal, stderr } = context;
  const type = aliases[name] ?? name;
  const { url, holders, administratorPrivateKey } = await readDemoFile(demoFile);
  const [first] = holders;
  if (!first) throw usageError(`${demoFile} has no holder`);
  const wallet = await readWallet(administratorPrivateKey, demoFile);
  const token = await signInAdministrator(context, wallet, url, demoFile);
  const clients = {
    holder: createClient(context, { url, apiKey: first.apiKey, secretKey: first.secretKey }),
    admin: createClient(context, { url, token }),
    signal,
  };
  const created: Created = { clientId: null, order: null };
  try {
    const id = await (clientSteps[type] ? triggerForClient : triggerForOrder)(clients, type, created);
    stderr.write(`Triggered ${type} of ${id}.\n`);
  } finally {
    // Also after a failure, which leaves as much behind.
    if (!keep && !signal.aborted)
      for (const line of await cleanUp(clients, created)) stderr.write(`${line}\n`);
  }
}

/** What a run has created so far. */
interface Created {
  clientId: string | null;
  order: Pick<Order, 'id' | 'orderStatus' | 'paymentStatus'> | null;
}

/** Removes what was created, as far as the API allows. Returns what was done and what stays. */
async function cleanUp(
  { holder, admin, signal }: DemoClients,
  { clientId, order }: Created,
): Promise<string[]> {
  const lines: string[] = [];
  const attempt = async (done: string, stays: string, run: () => Promise<unknown>) => {
    const failure = await run().then(
      () => null,
      (error: unknown) => describeError(error).message,
    );
    lines.push(failure === null ? done : `${stays}: ${failure}`);
  };
  if (order) {
    const { id, orderStatus, paymentStatus } = order;
    const stays = `Order ${id} stays`;
    const isFinal = finalOrderStatuses.includes(orderStatus);
    if (isFinal || paymentStatus === 'PAID')
      lines.push(`${stays}, because it is ${isFinal ? orderStatus : paymentStatus}.`);
    else if (orderStatus !== 'CANCELLED')
      await attempt(`Cancelled order ${id}.`, stays, () =>
        admin.admin.orders.update(id, { orderStatus: 'CANCELLED' }, { signal }),
      );
  }
  if (clientId !== null)
    await attempt(`Archived client ${clientId}.`, `Client ${clientId} stays`, () =>
      holder.clients.archive(clientId, {}, { signal }),
    );
  return lines;
}

/** Such an order cannot be cancelled: its goods have left. */
const finalOrderStatuses: readonly Order['orderStatus'][] = ['SHIPPED', 'DELIVERED'];

/** Signs the administrator of the demo in. Explains why the service does not know them. */
async function signInAdministrator(
  context: Context,
  wallet: Wallet,
  url: string,
  demoFile: string,
): Promise<string> {
  try {
    return await signInWallet(createAnonymousClient(context, url), wallet, true, context.signal);
  } catch (error) {
    if (!(error instanceof ForbiddenError || error instanceof AuthenticationError)) throw error;
    throw new CliError(
      `The service at ${url} does not know the wallets of ${demoFile}: it was started with another data folder. Pass the demo.json of ` +
        'its KEYFRONT_DATA with --demo.',
      exitCodes.authentication,
      { cause: error },
    );
  }
}

async function createDemoClient({ holder, signal }: DemoClients, created: Created): Promise<string> {
  const email = `trigger-${randomUUID()}@example.org`;
  const { client } = await holder.clients.create(
    { firstName: 'Tess', lastName: 'Trigger', email },
    { signal },
  );
  created.clientId = client.id;
  return client.id;
}

async function triggerForClient(clients: DemoClients, type: string, created: Created): Promise<string> {
  const { admin, signal } = clients;
  const id = await createDemoClient(clients, created);
  for (const change of clientSteps[type] ?? []) await admin.admin.clients.update(id, change, { signal });
  return id;
}

async function triggerForOrder(clients: DemoClients, type: string, created: Created): Promise<string> {
  const { holder, admin, signal } = clients;
  const clientId = await createDemoClient(clients, created);
  await admin.admin.clients.update(clientId, approved, { signal });
  const { strain, countryCode } = await findStrain(clients);
  created.order = await holder.orders.create(
    {
      clientId,
      items: [{ strainId: strain.id, quantity: 1 }],
      shippingAddress: { address1: 'Example Street 1', city: 'Example', countryCode },
    },
    { signal },
  );
  const { id } = created.order;
  for (const change of orderSteps[type] ?? [])
    created.order = await admin.admin.orders.update(id, change, { signal });
  return id;
}

/** Finds a strain that is sold, and a country in which it is. */
async function findStrain({ holder, signal }: DemoClients): Promise<{ strain: Strain; countryCode: string }> {
  for await (const strain of holder.strains.list({}, { signal })) {
    const sold = strain.strainLocations.find(({ isAvailable }) => isAvailable);
    if (sold) return { strain, countryCode: sold.location.countryCode };
  }
  throw new CliError('No strain of the demo has stock left');
}
