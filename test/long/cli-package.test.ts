import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, it, onTestFinished } from 'vitest';
import { copyForPacking } from '../support/package-registry.ts';

const runFile = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const packageFolder = join(root, 'packages/cli');

it('the packed CLI passes publint, contains only what it needs, and runs', { timeout: 240_000 }, async () => {
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-cli-package-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copy = await copyForPacking('cli', folder);
  const { messages } = await publint({ pkgDir: copy, pack: 'npm', level: 'suggestion' });
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);

  await runFile('npm', ['pack', '--pack-destination', folder], { cwd: copy });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  // The example storefront is a small part of it.
  expect((await stat(join(folder, tarball))).size).toBeLessThan(200_000);
  expect(await readdir(copy)).not.toContain('storefront');
  await runFile('tar', ['--extract', '--gzip', '--file', tarball], { cwd: folder });
  const unpacked = join(folder, 'package');
  expect((await readdir(unpacked)).sort()).toEqual([
    ...['LICENSE', 'README.md', 'bin', 'dist', 'package.json', 'storefront'],
  ]);
  const shop = join(unpacked, 'storefront');
  expect((await readdir(shop)).sort()).toEqual([
    ...['.env.example', 'AGENTS.md', 'README.md', 'app', 'gitignore', 'package.json', 'public'],
    ...['react-router.config.ts', 'start.mjs', 'tsconfig.json', 'vite.config.ts'],
  ]);
  const files = await readdir(join(unpacked, 'dist'), { recursive: true });
  expect(files.filter((name) => /\.(?:test\.js|d\.ts|map|tsbuildinfo)$/.test(name))).toEqual([]);

  // Dependencies come from the workspace, so that nothing has to be downloaded.
  const require = createRequire(join(packageFolder, 'package.json'));
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(unpacked, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(findPackage(require, name), link);
  }
  const { stdout } = await runFile(process.execPath, [join(unpacked, manifest.bin.keyfront), '--version']);
  expect(stdout).toBe(`${manifest.version}\n`);
});

/** The folder of an installed package, which may not export its package.json. */
function findPackage(require: NodeJS.Require, name: string): string {
  const folder = require.resolve.paths(name)?.find((path) => existsSync(join(path, name)));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return join(folder, name);
}
