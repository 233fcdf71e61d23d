import type { OperationGroup } from '../openapi/reference.ts';
import type { GuideSection } from '../site/site-options.ts';
import { type Html, html } from './html.ts';
import { methodBadge } from './operation-address.ts';
import { addresses, PageLinks } from './page-links.ts';
import type { Site } from './site.ts';

/** The list of the site: every guide, every group, and the operations of the group that is shown. */
export function navigation(site: Site, page: string): Html {
  const { paths, reference, sections } = site;
  const links = new PageLinks(page);
  const item = (address: string, title: Html | string) =>
    html`<li><a href="${links.to(address)}"${address === page ? html` aria-current="page"` : null}>${title}</a></li>
`;
  const guideList = ({ title, guides }: GuideSection): Html => {
    const items = guides.map((guide) => item(addresses.guide(paths, guide.path), guide.title));
    return listOf(title, items);
  };
  const operationList = ({ operations }: OperationGroup): Html =>
    html`<li><ul>
${operations.map((operation) =>
  item(
    addresses.operation(paths, operation.id),
    html`<span${operation.isDeprecated ? html` class="outdated"` : null}>${operation.title}</span>
${methodBadge(operation)}`,
  ),
)}</ul></li>
`;
  const groups = reference.groups.map((group) => {
    const address = addresses.group(paths, group.id);
    const isShown =
      address === page || group.operations.some(({ id }) => addresses.operation(paths, id) === page);
    return html`${item(address, group.name)}${isShown ? operationList(group) : null}`;
  });
  const [first, ...others] = sections;
  return html`<nav aria-label="Contents">
${listOf(null, [item(paths.home, 'Overview')])}${first ? guideList(first) : null}${listOf('API reference', [
  item(addresses.basics(paths), 'Basics'),
  ...groups,
])}${others.map(guideList)}</nav>`;
}

function listOf(title: string | null, items: readonly Html[]): Html {
  return html`${title === null ? null : html`<p>${title}</p>\n`}<ul>
${items}</ul>
`;
}
