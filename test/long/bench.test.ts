import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../bench/src/scenarios/scenarios.ts';
import { needs } from '../support/requirements.ts';

const program = new URL('../../bench/dist/main.js', import.meta.url).pathname;
const ofPgbench = ['checkout', 'webhooks'];
/** Has a store of its own, which takes longer than all others. */
const ofLargeStores = ['tenfold'];

/** Runs scenarios at a tenth of the size. Targets may be missed: a short run says nothing of speed. */
function runBench(names: readonly string[]) {
  return new Promise<{ code: unknown; table: string; progress: string }>((resolve) => {
    execFile(process.execPath, [program, '--quick', '--only', names.join(',')], (error, table, progress) =>
      resolve({ code: error?.code ?? 0, table, progress }),
    );
  });
}

async function expectMeasured(names: readonly string[]) {
  const { code, table, progress } = await runBench(names);
  expect([0, 1], progress).toContain(code);
  for (const name of names) expect(progress).toContain(`Measuring: ${name}\n`);
  expect(progress).not.toContain('Error');
  expect(table).toMatch(/^\| scenario /m);
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
}

describe('the bench', () => {
  it('measures every scenario that needs nothing but Node', () =>
    expectMeasured(scenarioNames.filter((name) => ![...ofPgbench, ...ofLargeStores].includes(name))));

  it('measures orders beside pgbench', needs('pgbench'), () => expectMeasured(ofPgbench));
});
