import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a shop consists of: nothing else that a developer of the example may have in its folder, such as settings. */
const names = [
  ...['.env.example', '.gitignore', 'AGENTS.md', 'README.md', 'app', 'package.json', 'public'],
  ...['react-router.config.ts', 'start.mjs', 'tsconfig.json', 'vite.config.ts'],
];
/** npm leaves `.gitignore` out of packages. */
const packedNames: Readonly<Record<string, string>> = { '.gitignore': 'gitignore' };

const packed = fileURLToPath(new URL('../../storefront', import.meta.url));
const example = fileURLToPath(new URL('../../../../examples/storefront', import.meta.url));

/** Copies the example storefront into a folder: from the package, or in a clone from where it is. */
export async function copyStorefront(target: string): Promise<void> {
  const isPacked = existsSync(packed);
  for (const name of names) {
    const source = isPacked ? join(packed, packedNames[name] ?? name) : join(example, name);
    await cp(source, join(target, name), { recursive: true, errorOnExist: true, force: false });
  }
}

/** Copies the example storefront into this package, for as long as it is packed. */
export async function packStorefront(): Promise<void> {
  for (const name of names)
    await cp(join(example, name), join(packed, packedNames[name] ?? name), { recursive: true });
}

/** Gives a copy its own name. */
export async function nameStorefront(folder: string, name: string): Promise<void> {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const { description: _of, license: _example, ...rest } = manifest;
  await writeFile(file, `${JSON.stringify({ ...rest, name }, null, 2)}\n`);
}

/** Writes `.env`, which only its owner can read: `.env.example` with these values. */
export async function writeSettings(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const left = new Map(Object.entries(settings));
  const explained = await readFile(join(folder, '.env.example'), 'utf8');
  const text = explained.replaceAll(/^([A-Z_]+)=.*$/gm, (line, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return value === undefined ? line : `${name}=${value}`;
  });
  if (left.size > 0) throw new Error(`.env.example does not explain ${[...left.keys()].join(', ')}`);
  await writeFile(join(folder, '.env'), text, { mode: 0o600, flag: 'wx' });
}
