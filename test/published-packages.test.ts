import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument } from './support/guide-programs.ts';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

describe('the published packages', () => {
  const manifests = readdirSync(packages).map(
    (name): Manifest => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')),
  );
  const published = manifests.filter((manifest) => !manifest.private);

  it('are the SDK, the command line, and the service with the packages that it needs', () => {
    expect(published.map(({ name }) => name).sort()).toEqual([
      '@keyfront/cli',
      '@keyfront/embedded-postgres',
      '@keyfront/sdk',
      '@keyfront/server',
    ]);
  });

  it.each(published)('$name is public, licensed, and depends on published packages only', (manifest) => {
    expect(manifest).toMatchObject({ license: 'Apache-2.0', publishConfig: { access: 'public' } });
    expect(manifest.version).toMatch(/^(?!0\.0\.0)\d+\.\d+\.\d+$/);
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (!name.startsWith('@keyfront/')) continue;
      const dependency = published.find((each) => each.name === name);
      expect(range, name).toBe(`^${dependency?.version}`);
    }
  });

  it.each(published)(
    '$name has a changelog for its version, which the changelog of all names',
    (manifest) => {
      const own = `packages/${manifest.name.replace('@keyfront/', '')}/CHANGELOG.md`;
      expect(readDocument(own)).toContain(`\n## ${manifest.version}\n`);
      expect(readDocument('CHANGELOG.md')).toContain(
        `\n| [\`${manifest.name}\`](${own}) | ${manifest.version} |\n`,
      );
    },
  );
});
