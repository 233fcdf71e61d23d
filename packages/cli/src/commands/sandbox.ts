import type { Keyfront } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface SandboxOptions extends ConnectionOptions {
  readonly json?: true;
}

interface SandboxStep {
  readonly argument: 'client-id' | 'order-id' | 'token-id';
  readonly exampleId: string;
  readonly summary: string;
  readonly details?: string;
  readonly run: (
    sandbox: Keyfront['sandbox'],
    id: string,
    request: { signal: AbortSignal },
  ) => Promise<unknown>;
  readonly done: string;
}

const order = { argument: 'order-id', exampleId: '019a8f3e-7c00-7000-8000-000000000501' } as const;

const steps: Readonly<Record<string, SandboxStep>> = {
  approve: {
    argument: 'client-id',
    exampleId: '019a8f3e-7c00-7000-8000-000000000301',
    summary: 'Approve a client, who then may order',
    details: 'Also passes the identity check.',
    run: async (sandbox, id, request) => {
      await sandbox.reportKyc(id, { status: 'VERIFIED' }, request);
      return sandbox.updateClient(id, { adminApproval: 'VERIFIED' }, request);
    },
    done: 'The client may order',
  },
  pay: {
    ...order,
    summary: 'Pay an order',
    run: (sandbox, id, request) => sandbox.reportPayment(id, { status: 'PAID' }, request),
    done: 'The order is paid',
  },
  ship: {
    ...order,
    summary: 'Approve an order and send it',
    run: async (sandbox, id, request) => {
      await sandbox.updateOrder(id, { adminApproval: 'VERIFIED' }, request);
      return sandbox.ship(id, { carrier: 'Sandbox Parcel', trackingNumber: 'TEST' }, request);
    },
    done: 'The order is sent',
  },
  deliver: {
    ...order,
    summary: 'Deliver an order that was sent',
    run: (sandbox, id, request) => sandbox.updateOrder(id, { orderStatus: 'DELIVERED' }, request),
    done: 'The order is delivered',
  },
  reset: {
    argument: 'token-id',
    exampleId: '1001',
    summary: 'Delete what belongs to the digital key of the credentials',
    details: 'Its number is the confirmation. API keys stay. This cannot be undone.',
    run: (sandbox, id, request) => sandbox.reset({ tokenId: Number(id) }, request),
    done: 'The digital key is reset',
  },
};

/** `keyfront sandbox`: what administrators and providers do elsewhere. */
export function addSandbox(program: Command, context: Context): void {
  const sandbox = program.command('sandbox');
  withDescription(
    sandbox,
    'Decide in a sandbox in place of administrators and providers',
    'Services that are no sandbox do not have these operations.',
  );
  withExamples(sandbox, context, `keyfront sandbox pay ${order.exampleId}`);
  for (const [name, { argument, exampleId, summary, details, run, done }] of Object.entries(steps)) {
    const command = sandbox.command(name).argument(`<${argument}>`).action(act);
    withDescription(command, summary, details);
    withConnection(withJson(command), context);
    withExamples(command, context, `keyfront sandbox ${name} ${exampleId}`);

    async function act(id: string, options: SandboxOptions): Promise<void> {
      const keyfront = await openClient(context, options);
      const flag = `<${argument}>`;
      const flags = { clientId: flag, orderId: flag, tokenId: flag };
      const result = await withFlagNames(flags, () => run(keyfront.sandbox, id, { signal: context.signal }));
      context.stdout.write(`${options.json ? compactJson(result) : `${done}.`}\n`);
    }
  }
}
