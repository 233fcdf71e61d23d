import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Flags that a browser needs to run in a container, as root, without reaching out by itself. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The executable named by `CHROMIUM`, or one on the path; null where there is none. */
export async function findChromium(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = ['chromium', 'google-chrome'].flatMap((name) => folders.map((each) => join(each, name)));
  return process.env.CHROMIUM ?? onPath.find((path) => existsSync(path)) ?? null;
}
