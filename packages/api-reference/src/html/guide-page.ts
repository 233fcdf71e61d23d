import type { Article } from '../markdown/markdown.ts';
import type { Reference } from '../openapi/reference.ts';
import type { Guide, Topic } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { navigation } from './navigation.ts';
import { anchorTo, type PageLinks } from './page-links.ts';
import { pageShell } from './page-shell.ts';

interface GuidePageParts {
  readonly guide: Guide;
  readonly article: Article;
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly guides: readonly Guide[];
  readonly links: PageLinks;
  readonly assets: string;
}

/** One guide, with its table of contents and the guides before and after it. */
export function guidePage(parts: GuidePageParts): string {
  const { guide, article, reference, guides, links, assets } = parts;
  return pageShell({
    title: `${guide.title} · ${reference.title}`,
    description: guide.description,
    brand: reference.title,
    links,
    assets,
    navigation: navigation({ ...parts, currentGuide: guide.name }),
    content: html`<article class="prose">
${article.content}
${neighbours(guide, guides, links)}
</article>
${tableOfContents(article)}`,
    layout: 'guide',
  });
}

function tableOfContents({ headings }: Article): Html | null {
  if (headings.length < 2) return null;
  return html`<aside class="toc">
<nav aria-labelledby="page-toc">
<p id="page-toc">On this page</p>
<ul>
${headings.map(
  ({ id, text, level }) => html`<li class="level-${level}"><a href="${anchorTo(id)}">${text}</a></li>
`,
)}</ul>
</nav>
</aside>`;
}

function neighbours(guide: Guide, guides: readonly Guide[], links: PageLinks): Html {
  const at = guides.findIndex(({ name }) => name === guide.name);
  const [previous, next] = [guides[at - 1], guides[at + 1]];
  return html`<nav class="neighbours" aria-label="Guides">
${previous ? html`<a rel="prev" href="${links.guide(previous.name)}"><span>Previous</span> ${previous.title}</a>` : null}
${next ? html`<a rel="next" href="${links.guide(next.name)}"><span>Next</span> ${next.title}</a>` : null}
</nav>`;
}
