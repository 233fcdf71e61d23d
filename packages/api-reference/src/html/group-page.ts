import { renderDescription } from '../markdown/markdown.ts';
import type { Operation, OperationGroup } from '../openapi/reference.ts';
import { deprecatedMark } from './field-list.ts';
import { type Html, html } from './html.ts';
import { breakablePath, firstParagraph, methodBadge } from './operation-address.ts';
import { addresses, PageLinks } from './page-links.ts';
import { neighbours, pageShell } from './page-shell.ts';
import type { Site } from './site.ts';

/** The operations of one group, each with its first paragraph. */
export function groupPage(site: Site, group: OperationGroup): string {
  const { paths, reference } = site;
  const page = addresses.group(paths, group.id);
  const links = new PageLinks(page);
  const list = reference.groups.map(({ id, name }) => ({ address: addresses.group(paths, id), title: name }));
  return pageShell(site, {
    page,
    title: `${group.name} · ${reference.title}`,
    description: group.description,
    content: html`<header class="title">
<p class="trail"><a href="${links.to(addresses.basics(paths))}">API reference</a></p>
<h1>${group.name}</h1>
<div class="tagline">${renderDescription(group.description, { headingLevel: 2 })}</div>
</header>
<ul class="operations">
${group.operations.map((operation) => operationItem(operation, links.to(addresses.operation(paths, operation.id))))}</ul>
${neighbours(page, list)}`,
    layout: 'reference',
  });
}

function operationItem(operation: Operation, href: string): Html {
  const { title, path, isDeprecated, description } = operation;
  return html`<li>
<h2><a href="${href}">${title}</a>${isDeprecated ? deprecatedMark : null}</h2>
<p class="address">${methodBadge(operation)} <code>${breakablePath(path)}</code></p>
<div class="lead">${renderDescription(firstParagraph(description))}</div>
</li>
`;
}
