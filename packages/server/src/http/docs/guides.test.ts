import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readGuides } from './guides.ts';

const guidesFolder = fileURLToPath(new URL('../../../../../docs/guides', import.meta.url));
const guideFiles = readdirSync(guidesFolder).filter((name) => name.endsWith('.md'));

describe('guides', () => {
  it('are all listed, each with a title and a description', async () => {
    const guides = await readGuides();
    expect(guides.map(({ name }) => `${name}.md`).sort()).toEqual(
      guideFiles.filter((name) => name !== 'README.md').sort(),
    );
    for (const { title, description, markdown } of guides) {
      expect(description).toMatch(/^[A-Z]/);
      expect(markdown).toMatch(new RegExp(`^# ${title}$`, 'm'));
    }
  });

  it('say in their first line who they are for', async () => {
    // Those of this list say what they do instead.
    const others = new Set(['quickstart', 'storefront', 'sandbox']);
    for (const { name, markdown } of await readGuides()) {
      if (!others.has(name))
        expect([name, markdown.split('\n')[2]]).toEqual([name, expect.stringMatching(/^For /)]);
    }
  });

  it('show every image that there is, and no other', async () => {
    const shown = (await readGuides()).flatMap(({ markdown }) =>
      [...markdown.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path),
    );
    const images = readdirSync(`${guidesFolder}/images`).map((name) => `images/${name}`);
    expect([...new Set(shown)].sort()).toEqual(images.sort());
  });
});
