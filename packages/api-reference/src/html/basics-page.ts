import { renderBesideCode, renderDescription, renderInline } from '../markdown/markdown.ts';
import type { Reference } from '../openapi/reference.ts';
import { type Html, html } from './html.ts';
import { serverList } from './overview-page.ts';
import { addresses, anchorTo, PageLinks, pageIds } from './page-links.ts';
import { pageShell } from './page-shell.ts';
import { type Site, topicSource } from './site.ts';

/** What holds for every operation: addresses, authentication and the topics. */
export function basicsPage(site: Site): string {
  const { paths, reference, topics, pagesBySource } = site;
  const page = addresses.basics(paths);
  const links = new PageLinks(page);
  const resolveLink = (href: string) =>
    links.resolve(href, { source: topicSource(paths), pages: pagesBySource });
  return pageShell(site, {
    page,
    title: `API basics · ${reference.title}`,
    description: 'What holds for every operation',
    content: html`<header class="title">
<h1>API basics</h1>
<p class="tagline">What holds for every operation</p>
</header>
<div class="prose about-service">
${renderDescription(reference.description, { headingLevel: 2 })}
</div>
${serverList(reference)}
<p class="note"><a href="${links.to(paths.openApi)}">OpenAPI document</a> for generators and other tools</p>
${reference.schemes.length > 0 ? authentication(reference) : null}
${topics.map(({ id, title, markdown }) => {
  const { text, code } = renderBesideCode(markdown, { label: title, resolveLink });
  return html`<section class="topic" id="${id}">
<div class="columns">
<div class="text prose">
<h2><a href="${anchorTo(id)}">${title}</a></h2>
${text}
</div>
<div class="code">
${code}
</div>
</div>
</section>
`;
})}`,
    layout: 'reference',
  });
}

function authentication({ schemes }: Reference): Html {
  return html`<section class="topic" id="${pageIds.authentication}">
<div class="text prose">
<h2><a href="#${pageIds.authentication}">Authentication</a></h2>
<dl class="schemes">
${schemes.map(
  ({ label, place, description }) =>
    html`<div><dt>${renderInline(label)}${
      place ? html` <span class="count">${renderInline(place)}</span>` : null
    }</dt><dd>${renderDescription(description)}</dd></div>
`,
)}</dl>
</div>
</section>`;
}
