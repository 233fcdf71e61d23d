import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** The client as a bundler makes it for a page, without the arithmetic of the curve. */
async function bundleForBrowsers() {
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

it('is small, and needs nothing of Node', async () => {
  const chunks = await bundleForBrowsers();
  const code = chunks.map((chunk) => chunk.code).join('');
  expect(gzipSync(code).length).toBeLessThan(20_000);
  expect(code).not.toMatch(/node:|typebox/);
  const own = chunks.map(({ fileName }) => fileName);
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  expect(new Set(imports.filter((name) => !own.includes(name)))).toEqual(
    new Set(['@noble/curves/secp256k1.js']),
  );
});
