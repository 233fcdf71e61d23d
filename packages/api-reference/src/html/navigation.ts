import type { Reference } from '../openapi/reference.ts';
import type { Guide, Topic } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { methodBadge } from './operation-section.ts';
import { anchorTo, type PageLinks, pageIds } from './page-links.ts';

interface NavigationParts {
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly guides: readonly Guide[];
  readonly links: PageLinks;
  /** The guide that is shown; null on the reference itself. */
  readonly currentGuide: string | null;
}

/** The list of everything on the site. */
export function navigation({ reference, topics, guides, links, currentGuide }: NavigationParts): Html {
  const home = currentGuide === null ? '' : links.home;
  const basics = [
    { id: pageIds.introduction, title: 'Introduction' },
    ...(reference.schemes.length > 0 ? [{ id: pageIds.authentication, title: 'Authentication' }] : []),
    ...topics,
  ];
  return html`<nav aria-label="Contents">
${
  guides.length > 0
    ? section(
        'Guides',
        guides.map(
          ({ name, title }) =>
            html`<li><a href="${links.guide(name)}"${name === currentGuide ? html` aria-current="page"` : null}>${title}</a></li>
`,
        ),
      )
    : null
}${section(
  'API reference',
  basics.map(
    ({ id, title }) => html`<li><a href="${home}${anchorTo(id)}">${title}</a></li>
`,
  ),
)}${reference.groups.map((group) =>
  section(
    group.name,
    group.operations.map(
      ({ id, title, method, isDeprecated }) =>
        html`<li><a href="${home}${anchorTo(id)}"><span${isDeprecated ? html` class="outdated"` : null}>${title}</span>
${methodBadge(method)}</a></li>
`,
    ),
  ),
)}</nav>`;
}

function section(title: string, items: readonly Html[]): Html {
  return html`<p>${title}</p>
<ul>
${items}</ul>
`;
}
