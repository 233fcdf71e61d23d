import { type Html, html } from './html.ts';

interface CodePanel {
  readonly title: string;
  /** What the panel shows, for those who hear the page; a page has many panels of one title. */
  readonly label: string;
  readonly code: Html;
  /** Long lines go on below, instead of being scrolled to: for commands. */
  readonly isWrapped?: boolean;
}

/** A framed piece of code. It can be reached by keyboard, because it may have to be scrolled. */
export function codePanel({ title, label, code, isWrapped = false }: CodePanel): Html {
  return html`<figure class="panel${isWrapped ? ' wrapped' : ''}">
<figcaption>${title}</figcaption>
<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>
</figure>`;
}

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** JSON over several lines, its parts coloured. */
export function colouredJson(value: unknown): Html {
  const text = JSON.stringify(value, null, 2) ?? '';
  const pieces: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(jsonToken)) {
    const [token, string, colon = '', number] = match;
    pieces.push(html`${text.slice(end, match.index)}`);
    const kind =
      string === undefined ? (number === undefined ? 'word' : 'number') : colon ? 'name' : 'string';
    pieces.push(
      html`<span class="json-${kind}">${token.slice(0, token.length - colon.length)}</span>${colon}`,
    );
    end = match.index + token.length;
  }
  return html`${pieces}${text.slice(end)}`;
}

const shellToken = /\$[A-Z_][A-Z0-9_]*/g;

/** A command, its variables coloured: what the reader has to fill in. */
export function colouredShell(command: string): Html {
  const pieces: Html[] = [];
  let end = 0;
  for (const match of command.matchAll(shellToken)) {
    pieces.push(html`${command.slice(end, match.index)}<span class="variable">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${pieces}${command.slice(end)}`;
}
