import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { operationList } from '@keyfront/protocol';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** Bundles the SDK for a page as applications do, without the curve arithmetic. */
async function bundleForBrowsers(): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./index.ts', import.meta.url)),
    platform: 'browser',
    resolve: { conditionNames: ['@keyfront/source', 'browser', 'import', 'default'] },
    external: [/^@noble\/curves/],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output.filter((file) => file.type === 'chunk');
}

const gzippedSize = (chunks: readonly OutputChunk[]) =>
  gzipSync(chunks.map(({ code }) => code).join('')).length;

it('is small, and needs nothing of Node', async () => {
  const chunks = await bundleForBrowsers();
  const entry = chunks.filter(({ isEntry }) => isEntry);
  const imported = chunks.filter(({ fileName }) => entry.some(({ imports }) => imports.includes(fileName)));
  // A method of an operation takes less than 30 bytes.
  const methodBytes = 30 * operationList.length;
  expect(gzippedSize([...entry, ...imported])).toBeLessThan(10_000 + methodBytes);
  // Including `explain` and streams of events, which are loaded on demand.
  expect(gzippedSize(chunks)).toBeLessThan(15_300 + methodBytes);
  expect(chunks.map(({ code }) => code).join('')).not.toMatch(/node:|typebox/);

  const own = chunks.map(({ fileName }) => fileName);
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  expect(new Set(imports.filter((name) => !own.includes(name)))).toEqual(
    new Set(['@noble/curves/secp256k1.js']),
  );
});
