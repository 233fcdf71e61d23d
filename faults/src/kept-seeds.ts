/** Seeds that have found a fault, by trial. They run before all others, so that a fault that was mended stays mended. */
const kept: Readonly<Record<string, readonly number[]>> = {
  events: [],
};

/** Returns the seeds of a trial that run before all others. */
export function keptSeeds(trial: string): readonly number[] {
  return kept[trial] ?? [];
}
