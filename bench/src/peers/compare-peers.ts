import type { Bench } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Figures, type Run, runBuyers, summarize } from './buyers.ts';
import { startKeyfront } from './keyfront.ts';
import { medusa } from './medusa.ts';
import { startPeer } from './peer-program.ts';
import type { Shop } from './shop.ts';
import { vendure } from './vendure.ts';

/** A shop with what was measured. */
export interface Measured extends Figures {
  readonly shop: Pick<Shop, 'name' | 'about'>;
}

/** Places the same orders at Keyfront and at its peers, on the same PostgreSQL. Keyfront is the first of the list. */
export async function comparePeers(bench: Bench, cache: string, buyers: number): Promise<Measured[]> {
  const { sizes, progress } = bench;
  const shops = [
    await startKeyfront(bench),
    await startPeer(bench, cache, medusa),
    await startPeer(bench, cache, vendure),
  ];
  const runs = new Map(shops.map((shop): [string, Run[]] => [shop.name, []]));
  const named = <Value>(toValue: (shop: Shop) => Value) =>
    Object.fromEntries(shops.map((shop) => [shop.name, toValue(shop)]));
  const rates = await measureInterleaved(
    named((shop) => async () => {
      const run = await runBuyers(shop, buyers, sizes.runSeconds);
      const rate = run.latenciesMs.length / run.seconds;
      progress(`  ${shop.name}: ${rate.toFixed(1)} orders/s`);
      runs.get(shop.name)?.push(run);
      return rate;
    }),
    named((shop) => () => {
      progress(`Warming up ${shop.name}`);
      return runBuyers(shop, buyers, sizes.warmUpSeconds);
    }),
  );
  return shops.map((shop) => ({ shop, ...summarize(runs.get(shop.name) ?? [], rates[shop.name] ?? 0) }));
}
