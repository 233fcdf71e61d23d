import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeArchives, type Place, type Window } from './merge-archives.ts';

interface Archive {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly orders: readonly Place[];
}

function makeArchives(lists: readonly (readonly Place[])[]): Archive[] {
  return lists
    .filter(({ length }) => length > 0)
    .map((orders) => {
      const times = orders.map(({ at }) => at);
      return { firstAt: Math.min(...times), lastAt: Math.max(...times), orders };
    });
}

const seed = Number(process.env.MERGE_SEED ?? Math.floor(Math.random() * 2 ** 31));

it('covers the list once, with every archived order in its window, whatever overlaps', async () => {
  console.log(`MERGE_SEED=${seed}`);
  const order = fc.record({ at: fc.integer({ min: 0, max: 40 }), id: fc.uuid() });
  const lists = fc.array(fc.array(order, { maxLength: 12 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 9 }),
      async (given, direction, max) => {
        const sign = direction === 'asc' ? 1 : -1;
        const compare = (one: Place, other: Place) =>
          sign * (one.at - other.at || (one.id < other.id ? -1 : 1));
        const windows: Window<Place>[] = [];
        const options = { direction, maxOrders: max, read: async ({ orders }: Archive) => orders } as const;
        for await (const window of mergeArchives(makeArchives(given), options)) windows.push(window);
        expect(windows.flatMap(({ orders }) => orders)).toEqual(given.flat().toSorted(compare));
        let end: Place | null = null;
        for (const { after, until, orders } of windows) {
          expect(after).toEqual(end);
          expect(orders.length).toBeLessThan(2 * max + 12);
          for (const each of orders) if (until) expect(each === until || compare(each, until) < 0).toBe(true);
          end = until;
        }
        expect(end).toBeNull();
      },
    ),
    { seed, numRuns: 300 },
  );
});

it('reads an archive that overlaps no other once or twice', async () => {
  const lists = Array.from({ length: 20 }, (_, list) =>
    Array.from({ length: 10 }, (_, at) => ({ at: list * 10 + at, id: `${list} ${at}` })),
  );
  const reads = new Map<Archive, number>();
  const read = async (archive: Archive) => {
    reads.set(archive, (reads.get(archive) ?? 0) + 1);
    return archive.orders;
  };
  for await (const _ of mergeArchives(makeArchives(lists), { direction: 'desc', maxOrders: 25, read }));
  expect(reads.size).toBe(20);
  expect(Math.max(...reads.values())).toBeLessThanOrEqual(2);
});
