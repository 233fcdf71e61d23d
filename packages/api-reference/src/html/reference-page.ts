import { renderDescription } from '../markdown/markdown.ts';
import type { OperationGroup, Reference } from '../openapi/reference.ts';
import { pause } from '../site/pause.ts';
import type { Guide, Topic } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { introduction } from './introduction.ts';
import { navigation } from './navigation.ts';
import { type CodeLinks, operationSection } from './operation-section.ts';
import type { PageLinks } from './page-links.ts';
import { pageShell } from './page-shell.ts';

interface ReferencePageParts {
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly guides: readonly Guide[];
  readonly links: PageLinks;
  readonly assets: string;
  readonly codeLinks: CodeLinks;
}

/** All operations on one page, rendered with a pause after each. */
export async function referencePage(parts: ReferencePageParts): Promise<string> {
  const { reference, links, assets } = parts;
  const groups: Html[] = [];
  for (const group of reference.groups) groups.push(await groupSection(group, parts.codeLinks));
  return pageShell({
    title: `${reference.title} API reference`,
    description: reference.summary,
    brand: reference.title,
    links,
    assets,
    navigation: navigation({ ...parts, currentGuide: null }),
    content: html`${introduction(parts)}
${groups}`,
    layout: 'reference',
  });
}

async function groupSection(group: OperationGroup, codeLinks: CodeLinks): Promise<Html> {
  const { id, name, description, operations } = group;
  const sections: Html[] = [];
  for (const operation of operations) {
    sections.push(operationSection(operation, codeLinks));
    await pause();
  }
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<header class="group-title">
<h2 id="${id}-title">${name}</h2>
${renderDescription(description, { headingLevel: 3 })}
</header>
${sections}</section>
`;
}
