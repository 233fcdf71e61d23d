import { renderDescription, renderInline } from '../markdown/markdown.ts';
import type { OperationGroup, Reference } from '../openapi/reference.ts';
import type { GuideSection } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { firstParagraph, methodBadge } from './operation-address.ts';
import { addresses, PageLinks, pageIds } from './page-links.ts';
import { pageShell } from './page-shell.ts';
import type { Site } from './site.ts';

/** The way to everything: what the service is, every guide and every operation. */
export function overviewPage(site: Site): string {
  const { paths, reference, sections } = site;
  const links = new PageLinks(paths.home);
  const [first, ...others] = sections;
  return pageShell(site, {
    page: paths.home,
    title: `${reference.title} documentation`,
    description: reference.summary,
    content: html`<header class="title" id="${pageIds.introduction}">
<h1>${reference.title} <span class="version">${reference.version}</span></h1>
${reference.summary ? html`<p class="tagline">${reference.summary}</p>` : null}
</header>
<div class="prose about-service">
${renderDescription(firstParagraph(reference.description), { headingLevel: 2 })}
</div>
${serverList(reference)}
${first ? guideCards(site, first, links, pageIds.guides) : null}
${reference.groups.length > 0 ? operationIndex(site, links) : null}
${others.map((section) => guideCards(site, section, links, null))}`,
    layout: 'reference',
  });
}

/** The addresses of the service, each on a line of its own. */
export function serverList({ servers }: Reference): Html | null {
  if (servers.length === 0) return null;
  return html`<dl class="servers">${servers.map(
    ({ url, description }) => html`
<div><dt>${description || 'Base URL'}</dt><dd><code>${url}</code></dd></div>`,
  )}
</dl>`;
}

function guideCards(
  { paths }: Site,
  { title, guides }: GuideSection,
  links: PageLinks,
  id: string | null,
): Html {
  return html`<section class="topic"${id === null ? null : html` id="${id}"`}>
<h2>${title}</h2>
<ul class="cards">
${guides.map(
  (
    guide,
  ) => html`<li><a href="${links.to(addresses.guide(paths, guide.path))}"><strong>${guide.title}</strong>
<span>${renderInline(guide.description)}</span></a></li>
`,
)}</ul>
</section>`;
}

function operationIndex(site: Site, links: PageLinks): Html {
  const { paths, reference, topics } = site;
  const basics = addresses.basics(paths);
  const basicsTopics = [
    ...(reference.schemes.length > 0 ? [{ id: pageIds.authentication, title: 'Authentication' }] : []),
    ...topics,
  ];
  return html`<section class="topic" id="${pageIds.operations}">
<h2>API reference</h2>
<p class="note"><a href="${links.to(basics)}">Basics</a>${basicsTopics.map(
    ({ id, title }) => html` · <a data-moved="${id}" href="${links.to(basics)}#${id}">${title}</a>`,
  )} · <a href="${links.to(paths.openApi)}">OpenAPI document</a></p>
<div class="groups">
${reference.groups.map((group) => groupIndex(site, group, links))}</div>
</section>`;
}

/** `id` is the anchor that an operation had when all were on one page. The script leads from it to the page. */
function groupIndex({ paths }: Site, group: OperationGroup, links: PageLinks): Html {
  return html`<section class="group-index">
<h3><a href="${links.to(addresses.group(paths, group.id))}">${group.name}</a></h3>
<ul>
${group.operations.map(
  (operation) =>
    html`<li><a id="${operation.id}" data-moved="${operation.id}" href="${links.to(addresses.operation(paths, operation.id))}">${methodBadge(operation)} <span>${operation.title}</span></a></li>
`,
)}</ul>
</section>
`;
}
