import { runs } from '../sizes.ts';
import { median } from './median.ts';

/** Takes one measurement. */
export type Measure = () => Promise<number>;

/**
 * Warms up every measurement, then takes them in alternation and returns the medians. Alternation spreads other load
 * on the machine, and its thermal throttling, evenly over all measurements.
 */
export async function measureInterleaved<const Names extends string>(
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
