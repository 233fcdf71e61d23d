import { renderDescription } from '../markdown/markdown.ts';
import type { OperationGroup, Reference } from '../openapi/reference.ts';
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

/** All operations on one page. */
export function referencePage(parts: ReferencePageParts): string {
  const { reference, links, assets } = parts;
  return pageShell({
    title: `${reference.title} API reference`,
    description: reference.summary,
    brand: reference.title,
    links,
    assets,
    navigation: navigation({ ...parts, currentGuide: null }),
    content: html`${introduction(parts)}
${reference.groups.map((group) => groupSection(group, parts.codeLinks))}`,
    layout: 'reference',
  });
}

function groupSection(group: OperationGroup, codeLinks: CodeLinks): Html {
  const { id, name, description, operations } = group;
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<header class="group-title">
<h2 id="${id}-title">${name}</h2>
${renderDescription(description, { headingLevel: 3 })}
</header>
${operations.map((operation) => operationSection(operation, codeLinks))}</section>
`;
}
