import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('the sources can be published, and a later note makes the next version with its changelog', () => {
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
  for (const file of folders.flatMap((folder) => [
    join(folder, 'package.json'),
    join(folder, 'CHANGELOG.md'),
  ])) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(clone, file));
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: clone });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const verify = (tag: string) => run('scripts/verify-release.mjs', tag);
  const read = (file: string) => readFileSync(join(clone, file), 'utf8');

  // Without the notes of what was changed since.
  for (const name of readdirSync(join(clone, '.changeset'))) {
    if (name.endsWith('.md') && name !== 'README.md') rmSync(join(clone, '.changeset', name));
  }
  const { version } = JSON.parse(read('packages/server/package.json'));
  expect(verify(`v${version}`)).toEqual({
    status: 0,
    stdout: `v${version} can be published.\n`,
    stderr: '',
  });
  expect(verify('v999.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`has the version ${version}, and the tag is v999.0.0`),
  });

  writeFileSync(
    join(clone, '.changeset/a-note.md'),
    "---\n'@keyfront/sdk': minor\n'@keyfront/server': major\n---\n\nA change that users notice.\n",
  );
  expect(verify(`v${version}`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Notes are pending'),
  });
  const versionsOf = () =>
    Object.fromEntries(
      folders
        .map((folder) => JSON.parse(read(join(folder, 'package.json'))))
        .filter(({ private: isPrivate }) => !isPrivate)
        .map((manifest) => [manifest.name, manifest.version as string]),
    );
  const before = versionsOf();
  expect(run(join(root, 'node_modules/@changesets/cli/bin.js'), 'version').status).toBe(0);
  const [major = 0, minor = 0] = String(before['@keyfront/sdk']).split('.').map(Number);
  const after = versionsOf();
  expect(after).toEqual({
    ...before,
    '@keyfront/sdk': `${major}.${minor + 1}.0`,
    '@keyfront/server': `${Number(version.split('.')[0]) + 1}.0.0`,
  });
  for (const name of ['sdk', 'server']) {
    expect(read(`packages/${name}/CHANGELOG.md`)).toContain('A change that users notice.');
  }
  expect(verify(`v${after['@keyfront/server']}`).status).toBe(0);
});
