import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
