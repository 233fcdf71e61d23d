import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('the notes make version 1.0.0 of every package, with a changelog, and then the sources can be published', () => {
  const clone = mkdtempSync(join(tmpdir(), 'keyfront-release-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  for (const name of ['.changeset', 'package.json', 'scripts']) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = (workspaces as string[]).flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => join(pattern.slice(0, -2), name))
      : [pattern],
  );
  for (const folder of folders) {
    cpSync(join(root, folder, 'package.json'), join(clone, folder, 'package.json'));
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: clone });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  expect(run('scripts/verify-release.mjs', 'v1.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Notes are pending'),
  });
  expect(run(join(root, 'node_modules/@changesets/cli/bin.js'), 'version').status).toBe(0);
  const published = folders
    .map((folder) => JSON.parse(readFileSync(join(clone, folder, 'package.json'), 'utf8')))
    .filter(({ private: isPrivate }) => !isPrivate);
  expect(Object.fromEntries(published.map(({ name, version }) => [name, version]))).toEqual({
    '@keyfront/api-reference': '1.0.0',
    '@keyfront/cli': '1.0.0',
    '@keyfront/embedded-postgres': '1.0.0',
    '@keyfront/sdk': '1.0.0',
    '@keyfront/server': '1.0.0',
  });
  expect(readFileSync(join(clone, 'packages/server/CHANGELOG.md'), 'utf8')).toContain('The first release.');
  expect(run('scripts/verify-release.mjs', 'v1.0.0').stdout).toBe('v1.0.0 can be published.\n');
  expect(run('scripts/verify-release.mjs', 'v1.0.1').stderr).toContain(
    'has the version 1.0.0, and the tag is v1.0.1',
  );
});
