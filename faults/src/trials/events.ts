import { setTimeout as delay } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import {
  type CommittedOrder,
  compareReadings,
  countExpected,
  eventTypesOf,
} from '../load/compare-readings.ts';
import { createFirstEvent } from '../load/create-clients.ts';
import { type EventReaders, type EventReading, startEventReaders } from '../load/event-readers.ts';
import type { HolderCredentials } from '../load/holders.ts';
import { isReached, startOrderWriters, type WriterReport } from '../load/order-writers.ts';
import { runSql } from '../load/run-sql.ts';
import { createTrialStore, type TrialStore } from '../load/trial-store.ts';
import type { Instance } from '../processes/instance.ts';
import type { KillableDatabase } from '../processes/killable-database.ts';
import { type Trial, type TrialContext, waitFor, within } from './trial.ts';
import { openClient, withInstances } from './trial-instances.ts';

const victims = [
  'an instance',
  'the database',
  'a connection of the database',
  'both instances',
  'everything',
] as const;
type Victim = (typeof victims)[number];

const clientCount = 64;
const lateReaderCount = 2;
/** More than the writers can have begun before. */
const lastChangeCount = 40;
const longestDownMs = 500;
const longestCutPauseMs = 200;

/**
 * Writers place and change orders at two instances while readers follow the events and are cut off. The instances and
 * the database are killed. At the end, every reader has seen exactly one event for each change, all in one order.
 */
export const events: Trial = {
  name: 'events',
  run: (context) =>
    withInstances(
      context,
      { settings: async () => [{}, {}] },
      async ({ database, instances, first, demo }) => {
        const { sizes, random, progress } = context;
        const origins = instances.map(({ origin }) => origin);
        const [holder] = demo.holders;
        const store = await createTrialStore(database.ownerUrl, holder.primaryTokenId, clientCount);
        const after = await createFirstEvent(openClient(first, holder));
        const readers = startEventReaders({ origins, holder, random, after });
        const writers = await startOrderWriters({
          origins,
          holder,
          admin: { ...privateKeyToAccount(demo.admin.walletPrivateKey), admin: true },
          store,
          random,
        });
        const cutting = cutReadersOff(readers, context);
        let lateReaders = 0;
        for (let round = 0; round < sizes.kills; round++) {
          await within(
            writers.waitForChanges(1 + random.below(sizes.ordersBetweenFaults)),
            'No order was changed',
          );
          if (lateReaders < lateReaderCount && random.below(2) === 0) {
            readers.addLateReader();
            lateReaders += 1;
            await delay(random.below(longestDownMs));
          }
          const victim = random.pick(victims);
          progress(`Killing ${victim}`);
          await kill(victim, instances, database, context);
        }
        // The late readers see some orders from their beginning.
        await waitFor(() => readers.readings.every(({ openedAt }) => openedAt !== null));
        await within(writers.waitForChanges(lastChangeCount), 'No order was changed');
        const report = await within(writers.stop(), 'The writers did not end');
        await cutting.stop();
        const repeated = await writers.repeatAll();
        const orders = await listCommittedOrders(first, holder, store, report);
        await waitForReaders(readers, orders);
        await readers.stop();
        const problems = [
          ...repeated,
          ...compareReadings(orders, readers.readings),
          ...(await findLostChanges(first, holder, report)),
        ];
        const eventCount = orders.reduce((count, { types }) => count + types.length, 0);
        return {
          problems,
          summary:
            `${sizes.kills} kills; ${orders.length} orders with ${eventCount} events, ${report.unknownCount} requests without a ` +
            `response, ${readers.readings.length} readers`,
        };
      },
    ),
};

/** Kills the victim, and starts again what has ended. */
async function kill(
  victim: Victim,
  instances: readonly Instance[],
  database: KillableDatabase,
  { random }: TrialContext,
): Promise<void> {
  const hit = victim === 'an instance' ? [random.pick(instances)] : instances;
  const killInstances = () => Promise.all(hit.map(({ current }) => current().end('SIGKILL')));
  const downMs = random.below(longestDownMs);
  switch (victim) {
    case 'an instance':
    case 'both instances':
      await killInstances();
      await delay(downMs);
      break;
    case 'the database':
      await database.kill();
      await delay(downMs);
      await database.restart();
      return;
    case 'a connection of the database':
      await killConnection(database, random.below(1_000));
      return;
    case 'everything':
      await Promise.all([killInstances(), database.kill()]);
      await delay(downMs);
      await database.restart();
      break;
  }
  await Promise.all(hit.map((instance) => instance.restart()));
}

/** Kills a server process of one connection. PostgreSQL then ends all others, and recovers from its log. */
async function killConnection({ ownerUrl }: KillableDatabase, choice: number): Promise<void> {
  const rows = await runSql<{ pid: number }>(
    ownerUrl,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY pid`,
  );
  const victim = rows[choice % rows.length];
  if (victim) process.kill(victim.pid, 'SIGKILL');
}

function cutReadersOff(readers: EventReaders, { random }: TrialContext): { stop(): Promise<void> } {
  let isStopping = false;
  const cutting = (async () => {
    while (!isStopping) {
      await delay(random.below(longestCutPauseMs));
      readers.cutOff();
    }
  })();
  return {
    stop: () => {
      isStopping = true;
      return cutting;
    },
  };
}

/** Asks the service which orders there are, also those whose writer has got no response, and what has become of each. */
async function listCommittedOrders(
  instance: Instance,
  holder: HolderCredentials,
  store: TrialStore,
  { orders }: WriterReport,
): Promise<CommittedOrder[]> {
  const keyfront = openClient(instance, holder);
  const clients = new Set(store.clientIds);
  const committed: CommittedOrder[] = [];
  for await (const { id, client } of keyfront.orders.list({ take: 100 })) {
    if (!clients.has(client.id)) continue;
    const { history } = await keyfront.orders.history(id);
    committed.push({ id, types: eventTypesOf(history), startedAt: orders.get(id) ?? null });
  }
  return committed;
}

/** Finds changes that were acknowledged, and that the service does not know any more. */
async function findLostChanges(
  instance: Instance,
  holder: HolderCredentials,
  { orders, changes }: WriterReport,
): Promise<string[]> {
  const keyfront = openClient(instance, holder);
  const problems: string[] = [];
  for (const id of orders.keys()) {
    const { history } = await keyfront.orders.history(id);
    for (const { change } of changes.filter(({ orderId }) => orderId === id)) {
      if (!history.some((state) => isReached(state, change)))
        problems.push(`The change ${JSON.stringify(change)} of order ${id} was acknowledged and is lost`);
    }
  }
  return problems;
}

/** Waits until all readers have seen the last event. If they do not, the comparison tells what is missing. */
async function waitForReaders({ readings }: EventReaders, orders: readonly CommittedOrder[]): Promise<void> {
  const isBehind = ({ events }: EventReading) =>
    events.length === 0 ||
    readings.some((other) => (other.events.at(-1)?.id ?? '') > (events.at(-1)?.id ?? ''));
  await waitFor(
    () => !readings.some((each) => isBehind(each) || each.events.length < countExpected(orders, each)),
  );
}
