import { renderDescription, renderInline } from '../markdown/markdown.ts';
import type { Example, Operation, Response } from '../openapi/reference.ts';
import { type Code, codePanel, codeTabs, jsonText } from './code-panel.ts';
import { deprecatedMark, factLine, fieldList } from './field-list.ts';
import { type Html, html, trusted } from './html.ts';
import { anchorTo, pageIds } from './page-links.ts';

/** Links to the explanations of codes, such as error codes, by code. */
export type CodeLinks = ReadonlyMap<string, string>;

/** One operation: what it takes and returns on the left, samples on the right. */
export function operationSection(operation: Operation, codeLinks: CodeLinks): Html {
  const { id, method, path, title, description, isDeprecated } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="columns">
<div class="text">
<header>
<h3 id="${id}-title"><a href="${anchorTo(id)}">${title}</a>${isDeprecated ? deprecatedMark : null}</h3>
<p class="address">${methodBadge(method)} <code>${breakablePath(path)}</code></p>
${accessLine(operation)}
</header>
${description ? html`<div class="lead">${renderDescription(description)}</div>` : null}
${operation.parameters.map(
  ({ place, fields }) => html`<section class="part">
<h4>${place.charAt(0).toUpperCase()}${place.slice(1)} parameters</h4>
${fieldList(fields, 'input')}
</section>
`,
)}${bodyPart(operation)}${successParts(operation)}${errorPart(operation, codeLinks)}
</div>
<div class="code">
${samplePanel(operation)}
${responsePanel(operation)}
</div>
</div>
</section>
`;
}

const methodKinds = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export function methodBadge(method: string): Html {
  return html`<span class="method ${methodKinds.has(method) ? method.toLowerCase() : 'other'}">${method}</span>`;
}

const breakPoint = trusted('<wbr>');

function breakablePath(path: string): Html {
  const [first = '', ...steps] = path.split('/');
  return html`${first}${steps.map((step) => {
    const isParameter = step.startsWith('{');
    return html`${breakPoint}/${isParameter ? html`<span class="variable">${step}</span>` : step}`;
  })}`;
}

function accessLine({ access, isWebhook }: Operation): Html {
  if (isWebhook) return html`<p class="access open">Sent by the service to your endpoint</p>`;
  if (access === null) return html`<p class="access open">No authentication</p>`;
  return html`<p class="access"><a href="#${pageIds.authentication}">Authentication</a>: ${renderInline(access)}</p>`;
}

function bodyPart({ body }: Operation): Html | null {
  if (!body) return null;
  return html`<section class="part">
<h4>Body <span class="aside">${body.contentType}${body.isRequired ? '' : ', optional'}</span></h4>
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
<h4>Response <span class="aside">${response.status} ${renderInline(response.description)}</span></h4>
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
<h4>Errors</h4>
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
