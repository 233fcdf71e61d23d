// Bundles the built service into a few files. Node takes about a third of the time to load them, compared with the hundreds
// of modules that they consist of. The files lie as deep in the package as the modules did, so that paths relative to a
// module stay valid.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeBundledPackages } from '../../../scripts/bundled-packages.mjs';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Native modules, modules that read files of their own package, and what few processes load. */
const external = [
  /^node:/,
  /^@aws-sdk\//,
  /^@keyfront\/embedded-postgres$/,
  // Only needed for traces, except for the interface, which prom-client loads at every start.
  /^@opentelemetry\/(?!api$)/,
  /^@redis\/client$/,
  /^graphile-worker$/,
  /^pg-native$/,
  /^secp256k1/,
  /^sharp$/,
];

const bundle = await rolldown({
  input: { main: join(packageFolder, 'dist/main.js') },
  external,
  platform: 'node',
  onLog: (level, log, report) => {
    // A warning means that the bundle may behave differently from its modules. One dependency misspells 'use strict'.
    if (log.code === 'MODULE_LEVEL_DIRECTIVE') return;
    if (level === 'warn') throw new Error(log.message);
    report(level, log);
  },
});
const folder = join(packageFolder, 'dist/bundle');
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name].js',
  cleanDir: true,
});
writeBundledPackages(folder, output);
await bundle.close();
