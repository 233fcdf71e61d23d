import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readDocument, readSteps, runProgram, toPattern } from './support/guide-programs.ts';
import { onTestCluster, startService, withDataFolder } from './support/service-process.ts';

const runFile = promisify(execFile);
const guide = readDocument('docs/guides/quickstart.md');
const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** The programs of the guide by the names in their first lines. */
const programs = [...guide.matchAll(/^```js\n\/\/ (\S+\.mjs)\n(.*?)^```$/gms)].map(
  ([, name = '', text = '']) => [name, text] as const,
);

it('each program of the quickstart has a name to be saved under', () => {
  expect(programs.map(([name]) => name)).toEqual([
    ...['shop.mjs', 'catalogue.mjs', 'client.mjs', 'order.mjs', 'status.mjs'],
  ]);
  expect(guide.match(/^```js$/gm)).toHaveLength(programs.length);
});

/** The folder where `npm start` was called, with the programs saved in it, while the service runs. */
async function withClone(use: (clone: string, home: string) => Promise<void>): Promise<void> {
  await withDataFolder((dataFolder) =>
    onTestCluster(async (database) => {
      const service = startService({ ...database, KEYFRONT_DATA: dataFolder, KEYFRONT_DEMO: 'on' });
      await service.ready;
      const [clone, home] = [join(dataFolder, '..', 'clone'), join(dataFolder, '..', 'home')];
      for (const folder of [clone, home]) mkdirSync(folder);
      symlinkSync(dataFolder, join(clone, '.keyfront'));
      symlinkSync(nodeModules, join(clone, 'node_modules'));
      for (const [name, text] of programs) writeFileSync(join(clone, name), text);
      await use(clone, home);
      expect(await service.end()).toBe(0);
    }),
  );
}

it('the quickstart works from its first line to its last', { timeout: 240_000 }, async () => {
  await withClone(async (clone, home) => {
    const steps = readSteps(guide);
    const script = steps.map(({ program }) => `${program}\nprintf '\\0'`).join('\n');
    const { stdout, stderr } = await runFile('bash', ['-c', `set -o pipefail\n${script}`], {
      cwd: clone,
      env: { PATH: process.env.PATH ?? '', HOME: home },
    });
    const outputs = steps.map(({ output }) => expect.stringMatching(toPattern(output)));
    expect(stdout.split('\0'), stderr).toEqual([...outputs, '']);
    expect(stderr).toMatch(/^The cart holds 2\nKF-\S+: \d+\.\d\d [A-Z]{3}$/m);
    expect(existsSync(join(clone, 'orders.xlsx'))).toBe(true);
    expect(existsSync(join(home, '.config/keyfront/profiles.json'))).toBe(true);
  });
});

it('the program that orders tells a refusal in its sentence', { timeout: 60_000 }, async () => {
  await withClone(async (clone) => {
    const command = 'node order.mjs "$(node client.mjs)"';
    const { code, stdout, stderr } = await runProgram('bash', ['-c', command], clone, {});
    expect([code, stdout, stderr]).toEqual([1, '', 'The cart holds 2\nClient is not verified\n']);
  });
});
