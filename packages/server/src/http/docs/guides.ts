import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guide } from '@keyfront/api-reference';
import { packageFolder } from '../../lib/package-folder.ts';

/** The first is where they are in a clone, the second where `npm pack` puts them. */
const folders = [join(packageFolder, '..', '..', 'docs', 'guides'), join(packageFolder, 'guides')];

function findFolder(): string {
  const folder = folders.find((path) => existsSync(join(path, 'README.md')));
  if (!folder) throw new Error('The guides are missing: this installation of the server is not complete');
  return folder;
}

/** Reads the guides in the order in which the README of their folder lists them. */
export async function readGuides(): Promise<Guide[]> {
  const folder = findFolder();
  const list = parseGuideList(await readFile(join(folder, 'README.md'), 'utf8'));
  return Promise.all(
    list.map(async (guide) => ({
      ...guide,
      markdown: await readFile(join(folder, `${guide.name}.md`), 'utf8'),
    })),
  );
}

/** Reads the images that guides show, by the path that they show them with. All are WebP files. */
export async function readGuideImages(): Promise<Map<string, Buffer>> {
  const folder = findFolder();
  const names = await readdir(join(folder, 'images'));
  const read = async (name: string) =>
    [`images/${name}`, await readFile(join(folder, 'images', name))] as const;
  return new Map(await Promise.all(names.map(read)));
}

/** The rows of the form `| [Title](name.md) | description |`. */
export function parseGuideList(readme: string): Omit<Guide, 'markdown'>[] {
  const rows = readme.matchAll(/^\| \[(.+?)\]\(([\w-]+)\.md\) \| (.+?) \|$/gm);
  return [...rows].map(([, title = '', name = '', description = '']) => ({ name, title, description }));
}
