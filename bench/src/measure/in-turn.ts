import { runs } from '../sizes.ts';
import { median } from './median.ts';

/** Measures once and says what came out. */
export type Measure = () => Promise<number>;

/**
 * The medians of several measurements that are taken in turn, after a warm-up of each: what the machine does beside,
 * or gets warm from, falls on all of them alike.
 */
export async function measureInTurn<const Names extends string>(
  measures: Readonly<Record<Names, Measure>>,
  warmUps: Readonly<Record<Names, () => Promise<unknown>>>,
): Promise<Record<Names, number>> {
  const names = Object.keys(measures) as Names[];
  for (const name of names) await warmUps[name]();
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Names, number[]>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) values[name].push(await measures[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(values[name])])) as Record<Names, number>;
}
