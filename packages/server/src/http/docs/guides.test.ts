import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseGuideList, readGuideImages, readGuides } from './guides.ts';

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

  it('show every image that there is, and no other', async () => {
    const shown = (await readGuides()).flatMap(({ markdown }) =>
      [...markdown.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path),
    );
    expect([...new Set(shown)].sort()).toEqual([...(await readGuideImages()).keys()].sort());
  });

  it('are listed by the rows of a table in the README', () => {
    const readme =
      '| Guide | Content |\n|---|---|\n| [One](one.md) | The `first` |\n\nText [two](two.md) | no |\n';
    expect(parseGuideList(readme)).toEqual([{ name: 'one', title: 'One', description: 'The `first`' }]);
  });
});
