import { type Html, html, joined } from '../html/html.ts';

/**
 * A Mermaid state diagram as a table of its transitions, which needs no script and can be read aloud. Null where the
 * text holds anything but plain transitions.
 */
export function renderStateDiagram(source: string): Html | null {
  const [kind, ...lines] = source.trim().split('\n');
  if (kind?.trim() !== 'stateDiagram-v2') return null;
  const targets = new Map<string, string[]>();
  for (const line of lines) {
    const [, from, to] = /^\s*(\[\*\]|\w+)\s*-->\s*(\[\*\]|\w+)\s*$/.exec(line) ?? [];
    if (from === undefined || to === undefined) return null;
    targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  return html`<div class="table"><table class="transitions">
<thead><tr><th scope="col">From</th><th scope="col">To</th></tr></thead>
<tbody>
${[...targets].map(
  ([from, to]) =>
    html`<tr><td>${from === '[*]' ? html`Start` : state(from)}</td><td>${joined(
      to.map((name) => (name === '[*]' ? html`End` : state(name))),
      ' ',
    )}</td></tr>
`,
)}</tbody>
</table></div>
`;
}

function state(name: string): Html {
  return html`<code>${name}</code>`;
}
