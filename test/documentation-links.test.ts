import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const ignored = new Set(['node_modules', 'dist', 'coverage']);

function listDocuments(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ignored.has(entry.name) || /^\.(git|keyfront)/.test(entry.name) ? [] : listDocuments(path);
    }
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** A document without its code, in which `#` and brackets mean something else. */
function readProse(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/^```.*?^```$/gms, '');
}

/** The anchors that GitHub gives to the headings of a document. */
function listAnchors(path: string): string[] {
  const counts = new Map<string, number>();
  return [...readProse(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

it('the documentation links only to headings that exist', () => {
  const documents = listDocuments();
  expect(documents.length).toBeGreaterThan(20);
  const dead = documents.flatMap((path) =>
    [...readProse(path).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)]
      .filter(([, file = '', anchor = '']) => {
        const target = file === '' ? path : resolve(dirname(path), file);
        return !listAnchors(target).includes(anchor);
      })
      .map(([, file, anchor]) => `${relative(root, path)} → ${file}#${anchor}`),
  );
  expect(dead).toEqual([]);
});

it('lists every folder of the project in the table for contributors', () => {
  const table = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  // `test` stands for the folders in it.
  const listed = workspaces.filter((pattern) => !pattern.startsWith('test/'));
  const folders = listed.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, dirname(pattern))).map((name) => `${dirname(pattern)}/${name}`)
      : [pattern],
  );
  expect(folders).toContain('packages/server');
  for (const folder of folders) expect(table).toContain(`| \`${folder}\` |`);
});
