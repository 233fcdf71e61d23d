// Checks that the sources are those of a release: no pending notes, one version everywhere, and a changelog for it.
//
//   node scripts/verify-release.mjs v1.0.0

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tag = process.argv[2] ?? '';
const problems = [];
const problem = (text) => problems.push(text);

const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
if (!version) problem(`The tag "${tag}" is not of the form v1.2.3.`);

const pending = readdirSync(join(root, '.changeset')).filter(
  (name) => name.endsWith('.md') && name !== 'README.md',
);
if (pending.length > 0)
  problem(`Notes are pending: run "npm run changeset -- version" (${pending.length} notes).`);

for (const folder of readdirSync(join(root, 'packages'))) {
  const {
    name,
    version: own,
    private: isPrivate,
  } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  if (isPrivate) continue;
  const changelog = join(root, 'packages', folder, 'CHANGELOG.md');
  if (!existsSync(changelog) || !readFileSync(changelog, 'utf8').includes(`\n## ${own}\n`)) {
    problem(`${name} has no changelog for its version ${own}.`);
  }
  // The tag has the version of the service. Other packages may be older.
  if (name === '@keyfront/server' && version && own !== version) {
    problem(`${name} has the version ${own}, and the tag is ${tag}.`);
  }
}

for (const text of problems) process.stderr.write(`${text}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`${tag} can be published.\n`);
