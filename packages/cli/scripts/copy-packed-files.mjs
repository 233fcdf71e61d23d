// Copies the example storefront into the package for the time that it takes to pack it: npm packs nothing from outside its
// folder. `--remove` takes the copy away again, since a clone reads it where it is.

import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packStorefront } from '../dist/storefront/copy-storefront.js';

rmSync(fileURLToPath(new URL('../storefront', import.meta.url)), { recursive: true, force: true });
if (!process.argv.includes('--remove')) await packStorefront();
