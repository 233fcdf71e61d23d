import { setTimeout as delay } from 'node:timers/promises';
import { addHolders } from '../load/add-holders.ts';
import { insertOrders } from '../load/insert-orders.ts';
import { openStalledExport, type StalledExport } from '../load/stalled-export.ts';
import { createTrialStore } from '../load/trial-store.ts';
import { type Trial, within } from './trial.ts';
import { withInstances } from './trial-instances.ts';

/** So many that an export does not fit into the buffers, and lasts until it is read. */
const orderCount = 20_000;
/** The long exports last a little longer than the wait of a third one. */
const marginMs = 300;
const timeoutMs = 45_000;

/**
 * Two holders take all places for exports, for longer than a third one may wait. It asks again at once. It must get its export when
 * the others have theirs, and the service must go on.
 */
export const fullExports: Trial = {
  name: 'full-exports',
  run: (context) =>
    withInstances(context, {}, async ({ database, first, demo }) => {
      const { progress } = context;
      const long: StalledExport[] = [];
      try {
        const store = await createTrialStore(database.ownerUrl, demo.holders[0].primaryTokenId, 1);
        const [third] = await addHolders(database.ownerUrl, store, 1);
        if (!third) throw new Error('There is no third holder');
        for (const { primaryTokenId } of demo.holders)
          await insertOrders(database.ownerUrl, primaryTokenId, orderCount);
        for (const holder of demo.holders) long.push(await openStalledExport(first.baseUrl, holder));
        progress('Two holders read their exports slowly, and a third one waits');
        const refused = await openStalledExport(first.baseUrl, third);
        const isRefused = refused.status !== 200;
        refused.close();
        progress(`The third export got ${refused.status}, and is asked for again`);
        const again = openStalledExport(first.baseUrl, third);
        again.catch(() => undefined);
        await delay(marginMs);
        const problems: string[] = [];
        if (!isRefused) problems.push('There were more than two places for exports: the trial tries nothing');
        for (const each of long) {
          const isComplete =
            each.status === 200 && (await within(each.finish(), 'An export did not end', timeoutMs));
          if (!isComplete)
            problems.push(`An export of ${orderCount} orders with status ${each.status} was cut off`);
        }
        const last = await within(again, 'The third export did not begin', timeoutMs).catch(String);
        const isServed = typeof last !== 'string' && last.status === 200 && (await last.finish());
        if (!isServed)
          problems.push(
            `The third holder did not get its export: ${typeof last === 'string' ? last : last.status}`,
          );
        const health = await fetch(`${first.origin}/health/ready`).then(({ status }) => status, String);
        if (health !== 200) problems.push(`/health/ready: ${health}`);
        return { problems, summary: `2 exports of ${orderCount} orders, and a third one that waited` };
      } finally {
        for (const each of long) each.close();
      }
    }),
};
