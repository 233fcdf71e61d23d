import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorTable } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = join(root, 'packages/server/src');

/** Every folder of the project that people write in. */
function listFolders(folder = root): string[] {
  const ignored = new Set(['node_modules', 'dist', '.git', '.keyfront', '.cache', 'coverage']);
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !ignored.has(entry.name),
  );
  return [folder, ...inner.flatMap((entry) => listFolders(join(folder, entry.name)))];
}

const listFiles = (folder: string) =>
  listFolders(folder).flatMap((each) =>
    readdirSync(each)
      .map((name) => join(each, name))
      .filter((path) => statSync(path).isFile()),
  );

/** The files that a source file imports, by their place in the project. */
function importsOf(path: string): string[] {
  const specifiers = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';/gms);
  return [...specifiers].map(([, specifier = '']) => relative(root, resolve(dirname(path), specifier)));
}

const sources = listFiles(join(root, 'packages')).filter((path) => /(?<!\.test)\.ts$/.test(path));

describe('the architecture', () => {
  it('allows each folder to import only what it may depend on', () => {
    const broken: string[] = [];
    for (const path of sources) {
      const from = relative(root, path);
      const noun = /^packages\/server\/src\/resources\/([^/]+)\//.exec(from)?.[1];
      for (const to of importsOf(path)) {
        const inServer = (folder: string) => to.startsWith(`packages/server/src/${folder}`);
        const otherNoun = /^packages\/server\/src\/resources\/([^/]+)\//.exec(to)?.[1];
        const isForbidden =
          // Packages meet through their names only.
          from.split('/')[1] !== to.split('/')[1] ||
          (/\/src\/(http|pipeline|auth|rate-limit|database)\//.test(from) &&
            (otherNoun !== undefined || inServer('demo/'))) ||
          (from.includes('/src/database/') && /\/src\/(http|pipeline|auth|rate-limit|process)\//.test(to)) ||
          // Of another noun, only the rules.
          (noun !== undefined &&
            otherNoun !== undefined &&
            noun !== otherNoun &&
            /(-queries|routes)\.ts$/.test(basename(to))) ||
          (noun !== undefined && basename(from).endsWith('-queries.ts') && inServer('http/')) ||
          (noun !== undefined && inServer('process/')) ||
          (from.includes('/src/chain/') && /^(routes|admin-routes)\.ts$/.test(basename(to)));
        if (isForbidden) broken.push(`${from} imports ${to}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('keeps SQL in *-queries.ts, migrations and database/', () => {
    const sql = /`\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
    const offenders = sources
      .filter((path) => path.startsWith(server) && sql.test(readFileSync(path, 'utf8')))
      .map((path) => relative(server, path))
      .filter((path) => !path.endsWith('-queries.ts') && !path.startsWith('database/'));
    expect(offenders).toEqual([]);
  });

  it('reads the environment only in config.ts', () => {
    const readers = sources
      .filter((path) => path.startsWith(server) && readFileSync(path, 'utf8').includes('process.env'))
      .map((path) => relative(server, path))
      // Programs for callers read their own environment.
      .filter((path) => !path.startsWith('openapi/code-samples/'));
    expect(readers).toEqual(['config.ts']);
  });
});

it('names no package registry: npm uses the one that it is configured with', () => {
  const registry = new RegExp(
    [
      String.raw`\bregistry\.[a-z0-9-]+\.[a-z]{2,}\b`,
      String.raw`\bnpm\.pkg\.[a-z0-9-]+\.[a-z]{2,}\b`,
      String.raw`\bregistry(-url)?["']?\s*[:=]\s*["']?https?:`,
      '"resolved": "https?:',
    ].join('|'),
    'i',
  );
  const offenders = listFiles(root).filter((path) => registry.test(readFileSync(path, 'utf8')));
  expect(offenders.map((path) => relative(root, path))).toEqual([]);
});

describe('the documentation', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');

  it('lists every setting with its default, and no other', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+?) \|$/gm)].map(
      ([, name, ...rest]) => [name, ...rest],
    );
    const expected = Object.entries(settings).map(([name, setting]) => [
      name,
      /^[\w.:/-]+$/.test(setting.default) && setting.default !== 'none'
        ? `\`${setting.default}\``
        : setting.default,
      setting.description,
    ]);
    expect(rows).toEqual(expected);
  });

  it('explains every error, and no other', () => {
    const guide = readFileSync(join(root, 'docs/guides/errors.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \| (.+?) \|/gm)].map(
      ([, status, code, message]) => [code, Number(status), message],
    );
    const expected = Object.entries(errorTable).map(([code, { status, message }]) => [code, status, message]);
    expect(rows).toEqual(expected);
  });

  it('links only to files that exist', () => {
    const dead = listFiles(root)
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, target = '']) => resolve(dirname(path), target))
          .filter((target) => statSync(target, { throwIfNoEntry: false }) === undefined)
          .map((target) => `${relative(root, path)} → ${relative(root, target)}`),
      );
    expect(dead).toEqual([]);
  });
});
