import pg from 'pg';
import { createClients, createFirstEvent } from '../load/create-clients.ts';
import { startWebhookEndpoints } from '../processes/webhook-endpoints.ts';
import { type Trial, waitFor } from './trial.ts';
import { openClient, withInstances } from './trial-instances.ts';

const eventCount = 5;
/** Events arrive within a second. */
const timeoutMs = 15_000;
const type = 'client.created';

/**
 * Somebody else leaves a transaction open: in another database of the same server, and in that of the service. It has an id, but writes
 * nothing of the service. Events must go on arriving in the list, in a stream and at a webhook.
 */
export const foreignTransactions: Trial = {
  name: 'foreign-transactions',
  run: (context) =>
    withInstances(context, {}, async ({ database, first, demo }) => {
      const { progress } = context;
      const endpoints = await startWebhookEndpoints();
      const ending = new AbortController();
      try {
        const keyfront = openClient(first, demo.holders[0]);
        const endpoint = endpoints.add(0);
        await keyfront.webhooks.create({ url: endpoint.url, eventTypes: [type] });
        let after = await createFirstEvent(keyfront);
        const streamed = new Set<string>();
        const stream = (async () => {
          for await (const { data } of keyfront.events.stream({ type, after }, { signal: ending.signal }))
            streamed.add(String(data.id));
        })();
        stream.catch(() => undefined);
        const listed = new Set<string>();
        const readList = async () => {
          const page = await keyfront.events.list({ type, take: 100, after });
          for (const { data } of page.events) listed.add(String(data.id));
          after = page.nextAfter ?? after;
        };

        /** Creates clients. Returns a sentence for each reader that does not see them. */
        const findMissing = async (when: string): Promise<string[]> => {
          const answeredBefore = endpoint.answered.size;
          const ids = await createClients(keyfront, eventCount);
          const arrivals = (): readonly (readonly [reader: string, count: number])[] => [
            ['The list', ids.filter((id) => listed.has(id)).length],
            ['The stream', ids.filter((id) => streamed.has(id)).length],
            ['The webhook', endpoint.answered.size - answeredBefore],
          ];
          await waitFor(async () => {
            await readList();
            return arrivals().every(([, count]) => count >= eventCount);
          }, timeoutMs);
          return arrivals()
            .filter(([, count]) => count < eventCount)
            .map(
              ([reader, count]) =>
                `${reader} got ${count} of ${eventCount} events within ${timeoutMs / 1_000} s ${when}`,
            );
        };

        const problems = await findMissing('without other transactions');
        const others = [
          ['an idle transaction in another database', otherDatabase(database.ownerUrl)],
          ['an idle transaction in the database of the service', database.ownerUrl],
        ] as const;
        for (const [what, url] of problems.length > 0 ? [] : others) {
          progress(`There is ${what}`);
          const transaction = await openTransaction(url);
          problems.push(...(await findMissing(`beside ${what}`)));
          await transaction.end();
          problems.push(...(await findMissing(`after the end of ${what}`)));
        }
        return { problems, summary: `${others.length} idle transactions of others, 3 readers of events` };
      } finally {
        ending.abort();
        await endpoints.close();
      }
    }),
};

/** Every server has this one. */
function otherDatabase(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.pathname = '/postgres';
  return url.toString();
}

/** Begins a transaction and gives it an id, as the first write would. */
async function openTransaction(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  return client;
}
