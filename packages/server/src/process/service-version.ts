import { readFileSync } from 'node:fs';

/** The same distance from `src/process` and from `dist/bundle`. */
const packageFile = new URL('../../package.json', import.meta.url);

/** The version of this package. */
export function readServiceVersion(): string {
  return JSON.parse(readFileSync(packageFile, 'utf8')).version;
}
