import { renderDescription } from '../markdown/markdown.ts';
import type { Field, FieldGroup } from '../openapi/schema-fields.ts';
import type { Fact } from '../openapi/schema-words.ts';
import { type Html, html, joined } from './html.ts';

/**
 * Readers ask of an input whether they must send it, and of an output whether it may be absent. Of headers they ask
 * neither.
 */
export type Direction = 'input' | 'output' | 'headers';

/** The fields of one part of a request or a response. The fields inside objects unfold. */
export function fieldList(fields: readonly Field[], direction: Direction): Html {
  return html`<ul class="fields">
${fields.map((field) => fieldItem(field, direction))}</ul>`;
}

function fieldItem(field: Field, direction: Direction): Html {
  const { name, type, isRequired, isDeprecated, description, allowed, example } = field;
  const facts =
    direction === 'input' && example !== null
      ? [...field.facts, { label: 'for example', value: example }]
      : field.facts;
  return html`<li>
<p class="signature"><code class="name">${name}</code> <span class="type">${type}</span>${presence(isRequired, direction)}${
    isDeprecated ? deprecatedMark : null
  }</p>${
    description
      ? html`
<div class="about">${renderDescription(description)}</div>`
      : null
  }${allowed.length > 0 ? allowedValues(allowed) : null}${
    facts.length > 0
      ? html`
<p class="facts">${factLine(facts)}</p>`
      : null
  }${field.groups.map((group) => innerFields(group, direction))}
</li>
`;
}

export const deprecatedMark = html` <span class="deprecated">deprecated</span>`;

function presence(isRequired: boolean, direction: Direction): Html | null {
  if (direction === 'headers') return null;
  if (direction === 'output') return isRequired ? null : html` <span class="presence">may be absent</span>`;
  return isRequired
    ? html` <span class="presence required">required</span>`
    : html` <span class="presence">optional</span>`;
}

function innerFields({ name, fields }: FieldGroup, direction: Direction): Html {
  const count = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
  return html`
<details class="inner">
<summary>${name ? html`${name} <span class="count">${count}</span>` : count}</summary>
${fieldList(fields, direction)}
</details>`;
}

/** Rules on one line. */
export function factLine(facts: readonly Fact[]): Html {
  return joined(
    facts.map(({ label, value }) => {
      const shown = value ? html`<code>${value}</code>` : null;
      return html`<span class="fact">${label}${label && value ? ' ' : ''}${shown}</span>`;
    }),
    ' ',
  );
}

function allowedValues(values: readonly string[]): Html {
  return html`
<p class="allowed">${values.length === 1 ? 'Always' : 'One of'} ${joined(
    values.map((value) => html`<code>${value}</code>`),
    ' ',
  )}</p>`;
}
