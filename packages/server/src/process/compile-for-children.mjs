// Test helper: node compile-for-children.mjs OUT SOURCE...
// Compiles sources of this package into the folder OUT, so that child processes of tests can import them.
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [outFolder, ...sources] = process.argv.slice(2);
const sourceRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = dirname(dirname(dirname(sourceRoot)));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);
const nodeModules = join(repository, 'node_modules');

writeFileSync(join(outFolder, 'package.json'), JSON.stringify({ type: 'module' }));
symlinkSync(nodeModules, join(outFolder, 'node_modules'));
writeFileSync(
  join(outFolder, 'tsconfig.json'),
  JSON.stringify({
    extends: join(repository, 'tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      declaration: false,
      sourceMap: false,
      rootDir: sourceRoot,
      outDir: outFolder,
      typeRoots: [join(nodeModules, '@types')],
    },
    files: sources.map((source) => join(sourceRoot, source)),
  }),
);
execFileSync(process.execPath, [compiler, '-p', outFolder], { stdio: 'inherit' });
