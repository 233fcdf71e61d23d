import type { Article } from '../markdown/markdown.ts';
import type { Guide } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { addresses, anchorTo } from './page-links.ts';
import { neighbours, pageShell } from './page-shell.ts';
import type { Site } from './site.ts';

/** One guide, with its table of contents and the guides before and after it. */
export function guidePage(site: Site, guide: Guide, article: Article): string {
  const page = addresses.guide(site.paths, guide.path);
  const section = site.sections.find(({ guides }) => guides.includes(guide));
  const list = (section?.guides ?? []).map(({ path, title }) => ({
    address: addresses.guide(site.paths, path),
    title,
  }));
  return pageShell(site, {
    page,
    title: `${guide.title} · ${site.reference.title}`,
    description: guide.description,
    content: html`<article class="prose">
${article.content}
${neighbours(page, list)}
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
