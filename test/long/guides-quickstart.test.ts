import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { readDemo } from '../support/demo-console.ts';
import {
  readDocument,
  readPrograms,
  readQuickstartPrograms,
  readSteps,
  type Step,
  toPattern,
  writeFastNpx,
} from '../support/guide-programs.ts';
import { startPackageRegistry } from '../support/package-registry.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const runFile = promisify(execFile);
const guide = readDocument('docs/guides/quickstart.md');
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Everything before this heading is for developers who have no clone. */
const operators = guide.indexOf('\n## Run a Keyfront of your own\n');

/** Runs commands one after the other in one shell, and compares what each prints with what the guide says. */
async function runSteps(
  steps: readonly Step[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  before = '',
): Promise<string> {
  const script = steps.map(({ program }) => `${program}\nprintf '\\0'`).join('\n');
  const { stdout, stderr } = await runFile('bash', ['-c', `set -o pipefail\n${before}\n${script}`], {
    cwd,
    env,
  });
  const outputs = steps.map(({ output }) => expect.stringMatching(toPattern(output)));
  expect(stdout.split('\0'), stderr).toEqual([...outputs, '']);
  return stderr;
}

it('the quickstart leads from an empty folder to a first order, without a clone', {
  timeout: 900_000,
}, async () => {
  const registry = await startPackageRegistry('sdk');
  onTestFinished(() => registry.close());
  await onDemoDatabase(async (settings) => {
    const service = startService(settings);
    const baseUrl = await service.ready;
    const { holders, admin } = await readDemo(settings.KEYFRONT_DATA);
    const folder = join(dirname(settings.KEYFRONT_DATA), 'empty');
    mkdirSync(folder);
    // What the console shows, and the base URL.
    const { apiKey, secretKey } = holders[0];
    writeFileSync(
      join(folder, '.env'),
      `KEYFRONT_URL=${new URL(baseUrl).origin}\nKEYFRONT_API_KEY=${apiKey}\nKEYFRONT_SECRET_KEY=${secretKey}\n`,
    );
    await registry.run(folder, ['bash', '-c', `set -e\n${readPrograms(guide, 'Install the SDK', 'sh')[0]}`]);
    for (const [name, text] of readQuickstartPrograms(guide)) writeFileSync(join(folder, name), text);

    const steps = readSteps(guide.slice(0, operators));
    const ordering = steps.findIndex(({ program }) => program.includes('order.mjs'));
    const save = { program: 'printf %s "$client_id" >client-id', output: '' };
    await runSteps([...steps.slice(0, ordering), save], folder, registry.env);
    const order = () => registry.run(folder, ['bash', '-c', 'node order.mjs "$(cat client-id)" early-order']);
    await expect(order()).rejects.toThrow('Client is not verified');
    // What an administrator does in the console.
    const administrator = await new Keyfront({ baseUrl }).signIn({
      ...privateKeyToAccount(admin.walletPrivateKey),
      admin: true,
    });
    const clientId = await registry.run(folder, ['cat', 'client-id']);
    await administrator.admin.clients.update(clientId, { adminApproval: 'VERIFIED', isKYCVerified: true });
    const stderr = await runSteps(steps.slice(ordering), folder, registry.env, 'client_id=$(cat client-id)');
    expect(stderr).toMatch(/^(KF-\S+: \d+\.\d\d [A-Z]{3})\n\1$/m);
    expect(await service.end()).toBe(0);
  });
});

it('the commands for operators work in a clone', async () => {
  await onDemoDatabase(async (settings) => {
    const service = startService(settings);
    await service.ready;
    const parent = dirname(settings.KEYFRONT_DATA);
    const [clone, home] = [join(parent, 'clone'), join(parent, 'home')];
    for (const folder of [clone, home]) mkdirSync(folder);
    symlinkSync(settings.KEYFRONT_DATA, join(clone, '.keyfront'));
    symlinkSync(nodeModules, join(clone, 'node_modules'));
    const env = { PATH: `${writeFastNpx(home)}${delimiter}${process.env.PATH}`, HOME: home };
    await runSteps(readSteps(guide.slice(operators)), clone, env);
    expect(existsSync(join(clone, 'orders.xlsx'))).toBe(true);
    expect(existsSync(join(home, '.config/keyfront/profiles.json'))).toBe(true);
    expect(await service.end()).toBe(0);
  });
});
