// Copies the guides and the built console into the package for the time that it takes to pack it: npm packs nothing from outside
// its folder. `--remove` takes the copies away again, since a clone reads them where they are.

import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(packageFolder, '..', '..');
const copies = {
  guides: join(root, 'docs', 'guides'),
  console: join(root, 'packages', 'console', 'dist'),
};

for (const [name, source] of Object.entries(copies)) {
  const copy = join(packageFolder, name);
  rmSync(copy, { recursive: true, force: true });
  if (!process.argv.includes('--remove')) cpSync(source, copy, { recursive: true });
}
