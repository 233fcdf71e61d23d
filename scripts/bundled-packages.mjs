import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Writes `bundled-packages.json`: where the packages lie whose modules a bundler has put into its output, relative to the
 * repository. The bill of materials needs it, because nothing in an installation shows them.
 */
export function writeBundledPackages(folder, output) {
  const moduleIds = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const locations = moduleIds.flatMap((id) => {
    // A bundler marks modules that it has changed by a character before the path.
    const path = relative(root, id.slice(Math.max(0, id.indexOf('/'))));
    return path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/s) ?? [];
  });
  const sorted = [...new Set(locations)].sort();
  writeFileSync(join(folder, 'bundled-packages.json'), `${JSON.stringify(sorted, null, 2)}\n`);
}
