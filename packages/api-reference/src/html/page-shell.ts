import { type Html, html, trusted } from './html.ts';
import { type PageLinks, pageIds } from './page-links.ts';

interface PageParts {
  /** Shown by the browser. */
  readonly title: string;
  readonly description: string;
  /** The name of the service. */
  readonly brand: string;
  readonly links: PageLinks;
  /** The folder of the style sheet and the scripts, from the root of the service. */
  readonly assets: string;
  readonly navigation: Html;
  readonly content: Html;
  /** How the content is laid out: a class of the style sheet. */
  readonly layout: 'reference' | 'guide';
}

/** A whole page around its content: the bar with the search, the list at the side, the script. */
export function pageShell(parts: PageParts): string {
  const { title, description, brand, links, navigation, content, layout } = parts;
  const assets = links.root + parts.assets;
  return html`<!doctype html>
<html lang="en" data-root="${links.root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/reference.css">
<noscript><link rel="stylesheet" href="${assets}/noscript.css"></noscript>
<script type="module" src="${assets}/main.js"></script>
</head>
<body>
<a class="skip" href="#${pageIds.main}">Skip to content</a>
<header class="top">
<button type="button" class="menu" popovertarget="${pageIds.side}" aria-label="Contents">${menuIcon}</button>
<a class="brand" href="${links.home}"><strong>${brand}</strong> <span>Docs</span></a>
<div class="search" role="search">
${searchIcon}<input id="${pageIds.search}" type="search" role="combobox" aria-label="Search" aria-expanded="false" aria-controls="${pageIds.results}" aria-autocomplete="list" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="${pageIds.results}" role="listbox" aria-label="Search results" hidden></div>
</div>
</header>
<div class="side" id="${pageIds.side}" popover>
${navigation}
</div>
<main id="${pageIds.main}" class="${layout}" tabindex="-1">
${content}
</main>
<p class="unseen" role="status" id="${pageIds.status}"></p>
</body>
</html>
`.toString();
}

const menuIcon = trusted(
  '<svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><path d="M3 6h14M3 10h14M3 14h14"></path></svg>',
);
const searchIcon = trusted(
  '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><circle cx="7" cy="7" r="4.5"></circle><path d="m10.5 10.5 3.5 3.5"></path></svg>',
);
