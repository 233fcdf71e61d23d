import { anchorTo } from './addresses.ts';
import { type Html, html } from './html.ts';
import { introductionParts } from './introduction.ts';
import type { OperationGroup } from './operation-groups.ts';
import { methodBadge } from './operation-section.ts';

/** The list of everything on the page. */
export function navigation(groups: readonly OperationGroup[]): Html {
  return html`<nav aria-label="Reference">
<ul class="groups">
<li><a class="group" href="#page-main">Basics</a>
<ul>
${introductionParts.map(
  ({ id, title }) => html`<li><a href="${anchorTo(id)}">${title}</a></li>
`,
)}</ul>
</li>
${groups.map(groupItem)}</ul>
</nav>`;
}

function groupItem({ id, name, operations }: OperationGroup): Html {
  return html`<li><a class="group" href="${anchorTo(id)}">${name}</a>
<ul>
${operations.map(
  ({ method, operation }) =>
    html`<li><a href="${anchorTo(operation.operationId)}"><span>${operation.summary}</span>
${methodBadge(method)}</a></li>
`,
)}</ul>
</li>
`;
}
