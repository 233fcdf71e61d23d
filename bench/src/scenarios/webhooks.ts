import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, signHeaders } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { startChild } from '../processes/child.ts';
import { settingsFor, startService } from '../processes/service.ts';
import type { ReceiverJob, ReceiverState } from '../processes/webhook-receiver.ts';
import { shareOf } from '../report/row.ts';
import { tokens } from '../store/seed.ts';
import type { Signer } from '../store/signer.ts';
import { type CheckoutRun, withCheckoutRuns } from './checkout-runs.ts';
import type { Scenario } from './scenario.ts';

/** Orders take about as long while their events are sent to a webhook. One process does both, with the webhook and without it. */
export const webhooks: Scenario = {
  name: 'webhooks',
  measure: (bench) =>
    withCheckoutRuns(bench, ({ prepareService, limit: pgbench }) =>
      withDemoService(bench, async (baseUrl) => {
        const receiver = startChild<ReceiverJob, ReceiverState>('webhook-receiver-process.js');
        try {
          const { url } = await receiver.run({});
          const webhook = await createWebhook(baseUrl, bench.signers.large, url);
          const without = prepareService(baseUrl);
          const followed = followedBy(prepareService(baseUrl), bench, webhook);
          const { order, plain, limit } = await measureInterleaved(
            { order: followed.measure, plain: without.measure, limit: pgbench.measure },
            { order: followed.warmUp, plain: without.warmUp, limit: pgbench.warmUp },
          );
          const figure = { value: order, unit: 'req/s' };
          const what = 'POST /dapp/orders, 3 lines, with a webhook';
          return [
            {
              id: 'placing orders with a webhook',
              what,
              figure,
              limit: { what: 'the same without webhooks', value: plain, unit: 'req/s' },
              judged: shareOf(order, plain, 0.9),
            },
            {
              id: 'placing orders with a webhook, pgbench',
              what,
              figure,
              limit: { what: 'pgbench, the same statements', value: limit, unit: 'tx/s' },
              judged: shareOf(order, limit, 0.45),
            },
          ];
        } finally {
          await receiver.end();
        }
      }),
    ),
};

interface Webhook {
  setEnabled(isEnabled: boolean): Promise<void>;
}

/**
 * Enables the webhook for each run. Waits after the run until everything is delivered, so that nothing of it disturbs
 * the next one.
 */
function followedBy(run: CheckoutRun, { store, progress }: Bench, webhook: Webhook): CheckoutRun {
  const follow = async (checkouts: () => Promise<number>): Promise<number> => {
    await webhook.setEnabled(true);
    const rate = await checkouts();
    const orderedAt = performance.now();
    while (!(await isDelivered(store))) await delay(pollMs);
    progress(
      `the last event was delivered ${Math.round(performance.now() - orderedAt)} ms after the last order`,
    );
    await webhook.setEnabled(false);
    return rate;
  };
  return { measure: () => follow(run.measure), warmUp: () => follow(run.warmUp) };
}

const pollMs = 50;

async function isDelivered({ client }: Bench['store']): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT NOT EXISTS (SELECT FROM keyfront.webhook_deliveries WHERE status = 'PENDING') AND NOT EXISTS (
      SELECT FROM keyfront.events, keyfront.webhook_dispatch AS dispatch
      WHERE (events.transaction_number, events.sequence_number) > (dispatch.transaction_number, dispatch.sequence_number)
    ) AS "isDelivered"`);
  return rows[0].isDelivered;
}

async function createWebhook(baseUrl: string, signer: Signer, url: string): Promise<Webhook> {
  const call = async (method: string, path: string, content: object): Promise<{ data: { id: string } }> => {
    const body = JSON.stringify(content);
    const headers = { ...signHeaders(signer, body), 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, { method, body, headers });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as { data: { id: string } };
  };
  const { data } = await call('POST', '/webhooks', { url, eventTypes: ['order.*'], isEnabled: false });
  return {
    setEnabled: async (isEnabled) => {
      await call('PATCH', `/webhooks/${data.id}`, { isEnabled });
    },
  };
}

/** Starts a service that takes the store for a demo: only a demo sends events to this machine. */
async function withDemoService<Result>(
  { store, signers }: Bench,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-demo-'));
  const wallet = (tokenId: number) => ({
    walletAddress: `0x${tokenId.toString(16).padStart(40, '0')}`,
    walletPrivateKey: `0x${'1'.repeat(64)}`,
  });
  const describeHolder = (tokenId: number, { apiKey }: Signer) => ({
    ...wallet(tokenId),
    name: 'Bench',
    tokenIds: [tokenId],
    primaryTokenId: tokenId,
    apiKey,
    secretKey: '',
    clientIds: { ready: '', pending: '', rejected: '', emptyCart: '' },
  });
  const holders = [
    describeHolder(tokens.large, signers.large),
    describeHolder(tokens.thousand, signers.thousand),
  ];
  const file = { baseUrl: '', holders, admin: wallet(tokens.large) };
  await writeFile(join(folder, 'demo.json'), JSON.stringify(file), { mode: 0o600 });
  const service = await startService({
    ...settingsFor(store),
    KEYFRONT_DATA: folder,
    KEYFRONT_DEMO: 'on',
    DATA_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  });
  try {
    return await work(service.baseUrl);
  } finally {
    await service.end();
    // Its secret cannot be decrypted any more, so a later service on the same store would not start.
    await store.client.query('DELETE FROM keyfront.webhooks');
    await rm(folder, { recursive: true, force: true });
  }
}
