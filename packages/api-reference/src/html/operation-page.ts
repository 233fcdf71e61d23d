import { renderDescription, renderInline } from '../markdown/markdown.ts';
import type { Example, Operation, OperationGroup, Response } from '../openapi/reference.ts';
import { type Code, codePanel, codeTabs, jsonText } from './code-panel.ts';
import { deprecatedMark, factLine, fieldList } from './field-list.ts';
import { type Html, html } from './html.ts';
import { breakablePath, firstParagraph, methodBadge } from './operation-address.ts';
import { addresses, PageLinks, pageIds } from './page-links.ts';
import { neighbours, pageShell } from './page-shell.ts';
import type { Site } from './site.ts';

/** One operation: what it takes and returns on the left, samples on the right. */
export function operationPage(site: Site, group: OperationGroup, operation: Operation): string {
  const { paths, reference } = site;
  const { id, path, title, description, isDeprecated } = operation;
  const page = addresses.operation(paths, id);
  const links = new PageLinks(page);
  const list = group.operations.map((one) => ({
    address: addresses.operation(paths, one.id),
    title: one.title,
  }));
  return pageShell(site, {
    page,
    title: `${title} · ${reference.title}`,
    description: firstParagraph(description),
    content: html`<article class="operation">
<div class="columns">
<div class="text">
<header>
<p class="trail"><a href="${links.to(addresses.basics(paths))}">API reference</a> / <a href="${links.to(addresses.group(paths, group.id))}">${group.name}</a></p>
<h1>${title}${isDeprecated ? deprecatedMark : null}</h1>
<p class="address">${methodBadge(operation)} <code>${breakablePath(path)}</code></p>
${accessLine(operation, `${links.to(addresses.basics(paths))}#${pageIds.authentication}`)}
</header>
${description ? html`<div class="lead">${renderDescription(description, { headingLevel: 2 })}</div>` : null}
${operation.parameters.map(
  ({ place, fields }) => html`<section class="part">
<h2>${place.charAt(0).toUpperCase()}${place.slice(1)} parameters</h2>
${fieldList(fields, 'input')}
</section>
`,
)}${bodyPart(operation)}${successParts(operation)}${errorPart(operation, codeLinks(site, links))}
</div>
<div class="code">
${samplePanel(operation)}
${responsePanel(operation)}
</div>
</div>
${neighbours(page, list)}
</article>`,
    layout: 'reference',
  });
}

/** Links to the explanations of codes, such as error codes, by code. */
type CodeLinks = ReadonlyMap<string, string>;

function codeLinks({ codes }: Site, links: PageLinks): CodeLinks {
  return new Map([...codes].map(([code, address]) => [code, links.to(address)]));
}

function accessLine({ access, isWebhook }: Operation, authentication: string): Html {
  if (isWebhook) return html`<p class="access open">Sent by the service to your endpoint</p>`;
  if (access === null) return html`<p class="access open">No authentication</p>`;
  return html`<p class="access"><a href="${authentication}">Authentication</a>: ${renderInline(access)}</p>`;
}

function bodyPart({ body }: Operation): Html | null {
  if (!body) return null;
  return html`<section class="part">
<h2>Body <span class="aside">${body.contentType}${body.isRequired ? '' : ', optional'}</span></h2>
${body.description ? html`<div class="about">${renderDescription(body.description)}</div>` : null}${
  body.facts.length > 0
    ? html`
<p class="facts">${factLine(body.facts)}</p>`
    : null
}
${body.fields.length > 0 ? fieldList(body.fields, 'input') : null}
</section>
`;
}

function successParts({ responses }: Operation): Html {
  const successes = responses.filter(({ isSuccess }) => isSuccess);
  return html`${successes.map(
    (response) => html`<section class="part">
<h2>Response <span class="aside">${response.status} ${renderInline(response.description)}</span></h2>
${response.fields.length > 0 ? fieldList(response.fields, 'output') : null}${response.otherContentTypes.map(
  (type) => html`
<p class="note">Also available as <code>${type}</code>.</p>`,
)}${headerList(response)}
</section>
`,
  )}`;
}

function headerList({ headers }: Response): Html | null {
  if (headers.length === 0) return null;
  return html`
<details class="inner">
<summary>Response headers <span class="count">${headers.length}</span></summary>
${fieldList(headers, 'headers')}
</details>`;
}

function errorPart({ responses, title }: Operation, codeLinks: CodeLinks): Html | null {
  const errors = responses.filter(({ isSuccess }) => !isSuccess);
  if (errors.length === 0) return null;
  const successes = responses.filter(({ isSuccess }) => isSuccess);
  const known = new Set(successes.flatMap(({ headers }) => headers.map(({ name }) => name)));
  return html`<section class="part">
<h2>Errors</h2>
<ul class="errors">
${errors.map((response) => {
  // Headers of every response are described with the successful one.
  const headers = response.headers.filter(({ name }) => !known.has(name));
  return html`<li>${errorItem({ ...response, headers }, title, codeLinks)}</li>
`;
})}</ul>
</section>
`;
}

function errorItem(response: Response, title: string, codeLinks: CodeLinks): Html {
  const { status, description, examples, headers } = response;
  const line = html`<code>${status}</code> <span>${renderInline(description)}</span>`;
  if (examples.length === 0 && headers.length === 0) return html`<p class="error">${line}</p>`;
  return html`<details>
<summary class="error">${line}</summary>
${codeList(examples, codeLinks)}${errorHeaders(headers)}${examplePanel(response, title)}
</details>`;
}

function errorHeaders(headers: Response['headers']): Html | null {
  if (headers.length === 0) return null;
  return html`<dl class="codes">
${headers.map(
  ({ name, description }) =>
    html`<div><dt><code>${name}</code> <span class="count">header</span></dt><dd>${renderInline(description)}</dd></div>
`,
)}</dl>
`;
}

/** The error codes, which are the names of the examples. */
function codeList(examples: readonly Example[], codeLinks: CodeLinks): Html | null {
  const named = examples.filter(({ name }) => name !== '');
  if (named.length === 0) return null;
  return html`<dl class="codes">
${named.map(({ name, summary }) => {
  const href = codeLinks.get(name);
  const code = html`<code>${name}</code>`;
  return html`<div><dt>${href === undefined ? code : html`<a href="${href}">${code}</a>`}</dt><dd>${renderInline(summary)}</dd></div>
`;
})}</dl>
`;
}

/** Shows only the first example. The others have the same fields, and would make up most of the page. */
function examplePanel({ status, examples }: Response, title: string): Html | null {
  const [first] = examples;
  if (first === undefined) return null;
  const label = `Response ${status}: ${title}`;
  return codePanel({ title: `Response ${status}`, label, language: 'json', source: jsonText(first.value) });
}

function samplePanel({ id, title, samples }: Operation): Html {
  const codes = samples.map(
    ({ label, language, source }): Code => ({ title: label, label: `${label}: ${title}`, language, source }),
  );
  return codeTabs({ id: `${id}-request`, kind: 'Request', codes });
}

function responsePanel({ id, title, responses }: Operation): Html {
  const codes = responses
    .filter(({ isSuccess }) => isSuccess)
    .flatMap(({ status, examples }) =>
      examples.map(
        (example): Code => ({
          title: example.name ? `${status} ${example.summary || example.name}` : `Response ${status}`,
          label: `Response ${status}: ${title}`,
          language: 'json',
          source: jsonText(example.value),
        }),
      ),
    );
  return codeTabs({ id: `${id}-response`, kind: 'Response', codes });
}
