import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const assets = fileURLToPath(new URL('../../dist/assets/', import.meta.url));

/** The classes of Mantine, which have names such as `m_8d3f4000`, in the built files of a kind. */
function findClasses(extension: string): Set<string> {
  const texts = readdirSync(assets)
    .filter((name) => name.endsWith(extension))
    .map((name) => readFileSync(assets + name, 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? []));
}

it('has the styles of all components that are in the bundle, and no others', () => {
  const styled = new Set(
    readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), 'utf8').match(
      /\bm_[0-9a-f]{6,8}\b/g,
    ),
  );
  const used = [...findClasses('.js')].filter((name) => styled.has(name));
  expect(used.length).toBeGreaterThan(100);
  expect([...findClasses('.css')].sort()).toEqual(used.sort());
});

it('has no colour that the build cannot keep: it turns light-dark() into variables that nothing sets', () => {
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(5);
  expect(styles.filter((name) => readFileSync(assets + name, 'utf8').includes('lightningcss'))).toEqual([]);
});
