import { fileURLToPath } from 'node:url';

/** The folder of this package, with its `package.json`. The same distance from `src/lib` and from `dist/bundle`. */
export const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
