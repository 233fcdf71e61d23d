import { anchorTo } from './addresses.ts';
import { codePanel, colouredJson, colouredShell } from './code-panel.ts';
import { accessInWords } from './credentials.ts';
import { curlCommand } from './curl-command.ts';
import { fieldTable } from './field-table.ts';
import { type Html, html, trusted } from './html.ts';
import { isFields, readShape, textAt, valueAt } from './json-schema.ts';
import type { OpenApiDocument, OpenApiParameter } from './openapi-document.ts';
import type { ListedOperation } from './operation-groups.ts';
import { inlineProse, prose } from './prose.ts';
import { rowsOfAnswer, rowsOfField, rowsOfObject } from './schema-rows.ts';
import { factsOf } from './schema-words.ts';

/** Everything about one operation: what it takes and answers on the left, how that looks on the right. */
export function operationSection(document: OpenApiDocument, listed: ListedOperation): Html {
  const { method, path, operation } = listed;
  const { operationId, summary, description, security } = operation;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<header>
<h3 id="${operationId}-title"><a href="${anchorTo(operationId)}">${summary}</a></h3>
<p class="address">${methodBadge(method)} <code>${breakablePath(path)}</code></p>
<p class="access${security.length === 0 ? ' open' : ''}">
<span class="unseen">Who may call: </span>${accessInWords(operation)}</p>
</header>
<div class="columns">
<div class="text">
${description ? html`<div class="lead">${prose(description)}</div>` : null}
${parameterTables(document, operation.parameters ?? [])}
${bodyTable(document, listed)}
${answerTable(document, listed)}
${errorTable(listed)}
</div>
<div class="code">
${codePanel({
  title: 'Request',
  label: `Request: ${summary}`,
  code: colouredShell(curlCommand(document, listed)),
  isWrapped: true,
})}
${answerPanel(listed)}
</div>
</div>
</section>
`;
}

const methodKinds: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function methodBadge(method: string): Html {
  return html`<span class="method ${methodKinds[method] ?? 'other'}">${method}</span>`;
}

const breakPoint = trusted('<wbr>');

function breakablePath(path: string): Html {
  const [first = '', ...steps] = path.split('/');
  return html`${first}${steps.map((step) => {
    const isParameter = step.startsWith('{');
    return html`${breakPoint}/${isParameter ? html`<span class="variable">${step}</span>` : step}`;
  })}`;
}

function parameterTables(document: OpenApiDocument, parameters: readonly OpenApiParameter[]): Html {
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  const tables = places.map((place) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, schema, required, description }) =>
        rowsOfField({ name, schema: description ? { ...schema, description } : schema, required }, document),
      );
    const title = `${place.charAt(0).toUpperCase()}${place.slice(1)} parameters`;
    return fieldTable({ title, direction: 'input', rows });
  });
  return html`${tables.filter((table) => table !== null)}`;
}

function bodyTable(document: OpenApiDocument, { operation }: ListedOperation): Html | null {
  const schema = valueAt(operation.requestBody?.content, 'application/json', 'schema');
  return fieldTable({
    title: 'Body',
    direction: 'input',
    rows: rowsOfObject(schema, document),
    facts: factsOf(readShape(schema, document), schema, document),
  });
}

const dataAside = html`<span class="aside">in <code>data</code></span>`;

function answerTable(document: OpenApiDocument, listed: ListedOperation): Html | null {
  const { status, response } = successOf(listed);
  const envelope = valueAt(response, 'content', 'application/json', 'schema');
  const data = readShape(envelope, document).variants.map((variant) =>
    valueAt(variant, 'properties', 'data'),
  );
  const rows = data.filter(isFields).flatMap((schema) => rowsOfAnswer(schema, document));
  const table = fieldTable({ title: html`Answer ${status} ${dataAside}`, direction: 'answer', rows });
  const others = Object.keys(contentOf(response)).filter((type) => type !== 'application/json');
  const note = others.map((type) => html`<p class="note">Also answers as <code>${type}</code>.</p>`);
  return html`${table}${note}`;
}

function answerPanel(listed: ListedOperation): Html | null {
  const { status, response } = successOf(listed);
  const example = valueAt(response, 'content', 'application/json', 'example');
  if (example === undefined) return null;
  const label = `Example answer: ${listed.operation.summary}`;
  return codePanel({ title: `Answer ${status}`, label, code: colouredJson(example) });
}

function errorTable({ operation }: ListedOperation): Html | null {
  const errors = Object.entries(operation.responses).filter(([status]) => !isSuccess(status));
  if (errors.length === 0) return null;
  return html`<section class="part">
<h4>Errors</h4>
<table class="errors">
<thead class="unseen"><tr><th scope="col">Status</th><th scope="col">Message</th></tr></thead>
<tbody>
${errors.map(
  ([status, response]) =>
    html`<tr><th scope="row"><code>${status}</code></th>
<td>${inlineProse(textAt(response, 'description'))}</td></tr>
`,
)}</tbody>
</table>
</section>`;
}

function successOf({ operation }: ListedOperation): { status: string; response: object } {
  const [status, response] = Object.entries(operation.responses).find(([code]) => isSuccess(code)) ?? [
    '',
    {},
  ];
  return { status, response };
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

function contentOf(response: object): object {
  const content = valueAt(response, 'content');
  return isFields(content) ? content : {};
}
