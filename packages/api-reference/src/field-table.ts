import { type Html, html, joined, trusted } from './html.ts';
import { inlineProse } from './prose.ts';
import type { SchemaRow } from './schema-rows.ts';
import type { Fact } from './schema-words.ts';

/** A caller asks of an input whether it must be given; of an answer, whether it may be missing. */
type Direction = 'input' | 'answer';

interface FieldTable {
  readonly title: Html | string;
  readonly direction: Direction;
  readonly rows: readonly SchemaRow[];
  /** Rules about all of it. */
  readonly facts?: readonly Fact[];
}

/** The fields of one part of a request or an answer. Nothing where there are none. */
export function fieldTable({ title, direction, rows, facts = [] }: FieldTable): Html | null {
  if (rows.length === 0) return null;
  return html`<section class="part">
<h4>${title}</h4>${
    facts.length > 0
      ? html`
<p class="facts">${renderFacts(facts)}</p>`
      : null
  }
<table class="fields">
<thead class="unseen"><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map((row) => fieldRow(row, direction))}</tbody>
</table>
</section>`;
}

function fieldRow(row: SchemaRow, direction: Direction): Html {
  const { parent, name, type, required, allowed, example, description } = row;
  const facts = direction === 'input' && example !== null ? [...row.facts, exampleFact(example)] : row.facts;
  return html`<tr>
<th scope="row"><code>${fieldName(parent, name)}</code>${presence(required, direction)}</th>
<td><p class="facts"><span class="type">${type}</span>${facts.length > 0 ? html` ${renderFacts(facts)}` : null}</p>${
    description ? html`<p>${inlineProse(description)}</p>` : null
  }${allowed.length > 0 ? allowedValues(allowed) : null}</td>
</tr>
`;
}

// A long path may be broken after each of its dots.
const breakPoint = trusted('<wbr>');

function fieldName(parent: string, name: string): Html {
  const steps = parent.split('.').slice(0, -1);
  return html`${
    steps.length > 0
      ? html`<span class="parent">${steps.map((step) => html`${step}.${breakPoint}`)}</span>`
      : null
  }${name}`;
}

function presence(required: boolean, direction: Direction): Html | null {
  if (direction === 'answer') return required ? null : html` <span class="presence">may be missing</span>`;
  return required
    ? html` <span class="presence required">required</span>`
    : html` <span class="presence">optional</span>`;
}

function exampleFact(value: string): Fact {
  return { label: 'such as', value };
}

function renderFacts(facts: readonly Fact[]): Html {
  return joined(
    facts.map(({ label, value }) => {
      const shown = value ? html`<code>${value}</code>` : null;
      return html`<span class="fact">${label}${label && value ? ' ' : ''}${shown}</span>`;
    }),
    ' ',
  );
}

function allowedValues(values: readonly string[]): Html {
  const label = values.length === 1 ? 'Always' : 'One of';
  return html`<p class="allowed">${label} ${joined(
    values.map((value) => html`<code>${value}</code>`),
    ' ',
  )}</p>`;
}
