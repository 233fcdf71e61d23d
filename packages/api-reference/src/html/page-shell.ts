import { type Html, html, trusted } from './html.ts';
import { navigation } from './navigation.ts';
import { PageLinks, pageIds } from './page-links.ts';
import type { Site } from './site.ts';

interface PageParts {
  /** The address of the page. */
  readonly page: string;
  /** Shown by the browser. */
  readonly title: string;
  readonly description: string;
  readonly content: Html;
  /** How the content is laid out: a class of the style sheet. */
  readonly layout: 'reference' | 'guide';
}

/** A whole page around its content: the bar with the search, the list at the side, the script. */
export function pageShell(site: Site, { page, title, description, content, layout }: PageParts): string {
  const links = new PageLinks(page);
  const assets = links.to(site.assets);
  return html`<!doctype html>
<html lang="en" data-root="${links.root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${plainText(description)}">
<title>${title}</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/reference.css">
<link rel="alternate" href="${links.to(page)}.md" type="text/markdown">
<noscript><link rel="stylesheet" href="${assets}/noscript.css"></noscript>
<script type="module" src="${assets}/main.js"></script>
</head>
<body>
<a class="skip" href="#${pageIds.main}">Skip to content</a>
<header class="top">
<button type="button" class="menu" popovertarget="${pageIds.side}" aria-label="Contents">${menuIcon}</button>
<a class="brand" href="${links.to(site.paths.home)}"><strong>${site.reference.title}</strong> <span>Docs</span></a>
<div class="search" role="search">
${searchIcon}<input id="${pageIds.search}" type="search" role="combobox" aria-label="Search" aria-expanded="false" aria-controls="${pageIds.results}" aria-autocomplete="list" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="${pageIds.results}" role="listbox" aria-label="Search results" hidden></div>
</div>
</header>
<div class="side" id="${pageIds.side}" popover>
${navigation(site, page)}
</div>
<main id="${pageIds.main}" class="${layout}" tabindex="-1">
${content}
</main>
<p class="unseen" role="status" id="${pageIds.status}"></p>
</body>
</html>
`.toString();
}

interface Neighbour {
  readonly address: string;
  readonly title: string;
}

/** Links to the pages before and after one in a list. */
export function neighbours(page: string, list: readonly Neighbour[]): Html {
  const links = new PageLinks(page);
  const at = list.findIndex(({ address }) => address === page);
  const [previous, next] = [list[at - 1], list[at + 1]];
  return html`<nav class="neighbours" aria-label="Next pages">
${previous ? html`<a rel="prev" href="${links.to(previous.address)}"><span>Previous</span> ${previous.title}</a>` : null}
${next ? html`<a rel="next" href="${links.to(next.address)}"><span>Next</span> ${next.title}</a>` : null}
</nav>`;
}

/** Search engines show the description of a page as it is. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

const menuIcon = trusted(
  '<svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path d="M3 6h14M3 10h14M3 14h14"></path></svg>',
);
const searchIcon = trusted(
  '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><circle cx="7" cy="7" r="4.5"></circle><path d="m10.5 10.5 3.5 3.5"></path></svg>',
);
