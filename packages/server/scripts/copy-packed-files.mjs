// Copies the built console into the package for the time that it takes to pack it: npm packs nothing from outside
// its folder. `--remove` takes the copy away again, since a clone reads it where it is.

import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = join(packageFolder, 'console');

rmSync(copy, { recursive: true, force: true });
if (!process.argv.includes('--remove'))
  cpSync(join(packageFolder, '..', 'console', 'dist'), copy, { recursive: true });
