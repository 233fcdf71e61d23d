import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../lib/package-folder.ts';

const packageFile = join(packageFolder, 'package.json');

/** The version of this package. */
export function readServiceVersion(): string {
  return JSON.parse(readFileSync(packageFile, 'utf8')).version;
}
