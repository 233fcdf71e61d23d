import { renderBesideCode, renderDescription, renderInline } from '../markdown/markdown.ts';
import type { Reference } from '../openapi/reference.ts';
import type { Guide, Topic } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { anchorTo, type PageLinks, pageIds } from './page-links.ts';

interface IntroductionParts {
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly guides: readonly Guide[];
  readonly links: PageLinks;
}

/** Everything before the operations. */
export function introduction({ reference, topics, guides, links }: IntroductionParts): Html {
  const names = new Set(guides.map(({ name }) => name));
  return html`<header class="title" id="${pageIds.introduction}">
<h1>${reference.title} <span class="version">${reference.version}</span></h1>
${reference.summary ? html`<p class="tagline">${reference.summary}</p>` : null}
</header>
${about(reference, links)}
${guides.length > 0 ? guideCards(guides, links) : null}
${reference.schemes.length > 0 ? authentication(reference) : null}
${topics.map(({ id, title, markdown }) => {
  const { text, code } = renderBesideCode(markdown, {
    label: title,
    resolveLink: (href) => links.resolve(href, names),
  });
  return topicSection(id, title, text, code);
})}`;
}

function topicSection(id: string, title: string, text: Html, code: Html): Html {
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
}

function about({ description, servers }: Reference, links: PageLinks): Html {
  return html`<section class="about-service">
<div class="columns">
<div class="text prose">
${renderDescription(description, { headingLevel: 2 })}
<p><a href="${links.openApi}">OpenAPI document</a> for generators and other tools</p>
</div>
<div class="code">
${
  servers.length > 0
    ? html`<dl class="servers">${servers.map(
        ({ url, description: name }) => html`
<div><dt>${name || 'Base URL'}</dt><dd><code>${url}</code></dd></div>`,
      )}
</dl>`
    : null
}
</div>
</div>
</section>`;
}

function guideCards(guides: readonly Guide[], links: PageLinks): Html {
  return html`<section class="topic" id="${pageIds.guides}">
<h2><a href="#${pageIds.guides}">Guides</a></h2>
<ul class="cards">
${guides.map(
  ({ name, title, description }) => html`<li><a href="${links.guide(name)}"><strong>${title}</strong>
<span>${renderInline(description)}</span></a></li>
`,
)}</ul>
</section>`;
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
