import { readBuilt, readListing } from './built-docs.ts';

/** A guide for developers, in Markdown. */
export interface Guide {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/** Reads the guides, as they are served. */
export async function readGuides(): Promise<Guide[]> {
  const { guides } = await readListing();
  return Promise.all(
    guides.map(async (guide) => ({
      ...guide,
      markdown: (await readBuilt(`docs/guides/${guide.name}.md.br`)).toString(),
    })),
  );
}
