import { createClients } from '../load/create-clients.ts';
import { startWebhookEndpoints, type WebhookEndpoint } from '../processes/webhook-endpoints.ts';
import { type Trial, waitFor } from './trial.ts';
import { openClient, withInstances } from './trial-instances.ts';

const eventCount = 40;
/** One by one, a little slower than the endpoint can take them. */
const everyMs = 350;
const hangingCount = 3;
const answersAfterMs = 1_200;
/** More than an endpoint may need for its events alone. */
const aloneTimeoutMs = 120_000;
/** How much longer the same events may take beside endpoints that hang, and what a busy machine may add. */
const slowdown = 1.5;
const allowanceMs = 3_000;

/** A holder has webhooks that never answer, and one that is slow. It must get its events as if it were alone. */
export const slowWebhooks: Trial = {
  name: 'slow-webhooks',
  run: (context) =>
    withInstances(context, {}, async ({ first, demo }) => {
      const { progress } = context;
      const endpoints = await startWebhookEndpoints();
      try {
        const keyfront = openClient(first, demo.holders[0]);
        const eventTypes = ['client.created'];
        /** Creates events. Returns how many of them the endpoint has answered, and when it had the last one. */
        const measure = async ({ answered }: WebhookEndpoint, timeoutMs: number) => {
          const before = answered.size;
          const beganAt = performance.now();
          await createClients(keyfront, eventCount, everyMs);
          await waitFor(() => answered.size - before >= eventCount, beganAt + timeoutMs - performance.now());
          return { count: answered.size - before, ms: Math.round(performance.now() - beganAt) };
        };
        const slow = endpoints.add(answersAfterMs);
        await keyfront.webhooks.create({ url: slow.url, eventTypes });
        progress(`One webhook, which answers after ${answersAfterMs} ms`);
        const alone = await measure(slow, aloneTimeoutMs);
        if (alone.count < eventCount)
          return { problems: [`Alone, the webhook got ${describe(alone)}`], summary: 'failed' };
        for (let number = 0; number < hangingCount; number++)
          await keyfront.webhooks.create({ url: endpoints.add(null).url, eventTypes });
        progress(`The same beside ${hangingCount} webhooks that never answer (alone: ${describe(alone)})`);
        const beside = await measure(slow, alone.ms * slowdown + allowanceMs);
        const summary = `alone ${describe(alone)}, beside webhooks that never answer ${describe(beside)}`;
        const isInTime = beside.count === eventCount;
        return { problems: isInTime ? [] : [`The slow webhook did not keep up: ${summary}`], summary };
      } finally {
        await endpoints.close();
      }
    }),
};

function describe({ count, ms }: { readonly count: number; readonly ms: number }): string {
  return `${count} of ${eventCount} events in ${(ms / 1_000).toFixed(1)} s`;
}
