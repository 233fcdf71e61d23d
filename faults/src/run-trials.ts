import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from './random.ts';
import type { Trial, TrialResult, TrialSizes } from './trials/trial.ts';

export interface TrialRun {
  readonly trial: Trial;
  readonly sizes: TrialSizes;
  readonly seed: number;
  readonly progress: (message: string) => void;
}

/** Runs a trial in a folder of its own. The folder is kept if there were problems, with the data and the database logs. */
export async function runTrial({ trial, sizes, seed, progress }: TrialRun): Promise<TrialResult> {
  const folder = await mkdtemp(join(tmpdir(), `keyfront-faults-${trial.name}-`));
  const result = await trial
    .run({ sizes, random: createRandom(seed), folder, progress })
    .catch((error): TrialResult => ({ problems: [String(error?.stack ?? error)], summary: 'failed' }));
  if (result.problems.length === 0) await rm(folder, { recursive: true, force: true });
  else progress(`The data of the trial is in ${folder}`);
  return result;
}
