import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const require = createRequire(import.meta.url);
const fileName = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
const npmFolder = join('node_modules', '.bin');

/** Returns the path to anvil: from `ANVIL`, from npm, or from the path, in this order. Returns null if there is none. */
export function findAnvil(environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment.ANVIL || findInPackage() || findOnPath(environment.PATH ?? '');
}

/** Each platform has an optional package with its executable. */
function findInPackage(): string | null {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  try {
    const { resolve } = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
    return resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/${fileName}`);
  } catch {
    return null;
  }
}

function findOnPath(path: string): string | null {
  const candidates = path
    .split(delimiter)
    // npm puts its own folder on the path. The anvil there is a launcher that needs the missing platform package.
    .filter((folder) => folder !== '' && !folder.endsWith(npmFolder))
    .map((folder) => join(folder, fileName));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
