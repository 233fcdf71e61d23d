import { highlightCode } from './highlight-code.ts';
import { type Html, html } from './html.ts';

export interface Code {
  readonly title: string;
  /** What the panel shows, for screen readers: a page has many panels of the same title. */
  readonly label: string;
  readonly language: string;
  readonly source: string;
}

/** A framed block of code with a button that copies it. */
export function codePanel(code: Code): Html {
  return html`<figure class="panel">
<figcaption><span>${code.title}</span>${copyButton(code.label)}</figcaption>
${codeBlock(code)}
</figure>`;
}

/**
 * Several blocks of code of which one is shown. The first is, until the script runs; without scripts, all are, each under
 * its title. `id` is unique on the page. Tab groups of the same `kind` change together.
 */
export function codeTabs({ id, kind, codes }: { id: string; kind: string; codes: readonly Code[] }): Html {
  const [first, ...others] = codes;
  if (first === undefined) return html``;
  if (others.length === 0) return codePanel(first);
  return html`<figure class="panel" data-tabs="${kind}">
<figcaption><div class="tabs" role="tablist" aria-label="${kind}">${codes.map(
    ({ title }, index) =>
      html`<button type="button" role="tab" id="${id}-tab-${index}" aria-controls="${id}-${index}" aria-selected="${
        index === 0 ? 'true' : 'false'
      }" tabindex="${index === 0 ? 0 : -1}">${title}</button>`,
  )}</div>${copyButton(kind)}</figcaption>
${codes.map(
  (code, index) => html`<div role="tabpanel" id="${id}-${index}" aria-labelledby="${id}-tab-${index}"${
    index === 0 ? null : html` hidden`
  }>
<p class="tab-title">${code.title}</p>
${codeBlock(code)}
</div>
`,
)}</figure>`;
}

/** Can be reached by keyboard, because it may have to be scrolled. */
function codeBlock({ label, language, source }: Code): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlightCode(source, language)}</code></pre>`;
}

function copyButton(label: string): Html {
  return html`<button type="button" class="copy" aria-label="Copy: ${label}"><span aria-hidden="true">Copy</span></button>`;
}

/** A value as indented JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
