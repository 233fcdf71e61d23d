import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  readDocument,
  readQuickstartPrograms,
  readSteps,
  runProgram,
  toPattern,
  writeFastNpx,
} from '../support/guide-programs.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const runFile = promisify(execFile);
const guide = readDocument('docs/guides/quickstart.md');
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const programs = readQuickstartPrograms(guide);

/** The folder where `npm start` was called, with the programs saved in it, while the service runs. */
async function withClone(use: (clone: string, home: string) => Promise<void>): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const service = startService(settings);
    await service.ready;
    const parent = dirname(settings.KEYFRONT_DATA);
    const [clone, home] = [join(parent, 'clone'), join(parent, 'home')];
    for (const folder of [clone, home]) mkdirSync(folder);
    symlinkSync(settings.KEYFRONT_DATA, join(clone, '.keyfront'));
    symlinkSync(nodeModules, join(clone, 'node_modules'));
    for (const [name, text] of programs) writeFileSync(join(clone, name), text);
    await use(clone, home);
    expect(await service.end()).toBe(0);
  });
}

it('the quickstart works from its first line to its last, and a rejected order prints the reason', async () => {
  await withClone(async (clone, home) => {
    const steps = readSteps(guide);
    const script = steps.map(({ program }) => `${program}\nprintf '\\0'`).join('\n');
    const { stdout, stderr } = await runFile('bash', ['-c', `set -o pipefail\n${script}`], {
      cwd: clone,
      env: { PATH: `${writeFastNpx(home)}${delimiter}${process.env.PATH}`, HOME: home },
    });
    const outputs = steps.map(({ output }) => expect.stringMatching(toPattern(output)));
    expect(stdout.split('\0'), stderr).toEqual([...outputs, '']);
    expect(stderr).toMatch(/^The cart holds 2\nKF-\S+: \d+\.\d\d [A-Z]{3}$/m);
    expect(existsSync(join(clone, 'orders.xlsx'))).toBe(true);
    expect(existsSync(join(home, '.config/keyfront/profiles.json'))).toBe(true);

    const command = 'node order.mjs "$(node client.mjs)"';
    const rejected = await runProgram('bash', ['-c', command], clone, {});
    expect(rejected).toEqual({ code: 1, stdout: '', stderr: 'The cart holds 2\nClient is not verified\n' });
  });
});
