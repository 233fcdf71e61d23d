import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The same distance from `src/site` and from `dist/site`.
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const styleSheets = ['theme.css', 'content.css', 'layout.css'];

/** The files that every page loads, by name. */
export function readAssets(): Map<string, string> {
  const read = (...path: string[]) => readFileSync(join(packageFolder, ...path), 'utf8');
  const scripts = readdirSync(join(packageFolder, 'dist', 'browser')).filter((name) => name.endsWith('.js'));
  return new Map([
    ['reference.css', styleSheets.map((name) => read('assets', name)).join('\n')],
    ['noscript.css', read('assets', 'noscript.css')],
    ['icon.svg', read('assets', 'icon.svg')],
    ...scripts.map((name): [string, string] => [name, read('dist', 'browser', name)]),
  ]);
}
