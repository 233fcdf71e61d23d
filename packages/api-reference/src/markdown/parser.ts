import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { codePanel } from '../html/code-panel.ts';
import { html, trusted } from '../html/html.ts';
import { anchorOf, attribute } from './page-tokens.ts';
import { renderStateDiagram } from './state-diagram.ts';

// `html: false` escapes HTML in the text, and the library refuses `javascript:` links by itself.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Parses a document into block tokens. */
export function parseBlocks(text: string): Token[] {
  const tokens = markdown.parse(withoutComments(text), {});
  for (const token of tokens) {
    const style = attribute(token, 'style');
    if (style === null) continue;
    // The alignment of a column. A strict content security policy refuses styles in attributes.
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
    token.attrSet('class', style.replace('text-align:', 'align-'));
  }
  return tokens;
}

/** Comments are notes of the authors. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^<!--[\s\S]*?-->\n?/gm, '');
}

/** Parses text that stands on one line. */
export function parseInline(text: string): Token[] {
  return markdown.parseInline(text, {});
}

/** Renders tokens. `label` names the document in the labels of its code panels. */
export function renderTokens(tokens: Token[], label: string) {
  const env: Env & { label?: string } = { label };
  return trusted(markdown.renderer.render(tokens, markdown.options, env));
}

const languageTitles: Readonly<Record<string, string>> = {
  bash: 'Bash',
  go: 'Go',
  http: 'HTTP',
  js: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  sh: 'Shell',
  sql: 'SQL',
  text: 'Output',
  ts: 'TypeScript',
  yaml: 'YAML',
};

const { rules } = markdown.renderer;

rules.fence = (tokens, index, _options, env: (Env & { label?: string }) | undefined) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const [language = '', ...words] = info.trim().split(/\s+/);
  const diagram = language === 'mermaid' ? renderStateDiagram(content) : null;
  if (diagram) return diagram.toString();
  const title = words.join(' ') || languageTitles[language] || language || 'Text';
  const label = env?.label ? `${title}, ${env.label}` : title;
  return `${codePanel({ title, label, language, source: content.replace(/\n$/, '') })}\n`;
};

rules.code_block = (tokens, index) => {
  const source = tokens[index]?.content.replace(/\n$/, '') ?? '';
  return `${codePanel({ title: 'Text', label: 'Text', language: '', source })}\n`;
};

rules.code_inline = (tokens, index) => {
  const token = tokens[index];
  const anchor = token && anchorOf(token);
  const code = html`<code>${token?.content ?? ''}</code>`;
  return (anchor ? html`<a href="#${anchor}">${code}</a>` : code).toString();
};

// A heading that has an id is a link to itself.
rules.heading_open = (tokens, index) => {
  const token = tokens[index];
  const tag = token?.tag ?? 'h6';
  const id = token && attribute(token, 'id');
  return id ? html`<${trusted(tag)} id="${id}"><a href="#${id}">`.toString() : `<${tag}>`;
};

rules.heading_close = (tokens, index) => {
  const opening = tokens[index - 2];
  const tag = tokens[index]?.tag ?? 'h6';
  return opening && attribute(opening, 'id') ? `</a></${tag}>\n` : `</${tag}>\n`;
};

// A wide table scrolls by itself, so that the page does not. On a phone it becomes a list, whose cells name their columns.
rules.table_open = (tokens, index) => {
  const kind = tokens[index] && attribute(tokens[index], 'class');
  return `<div class="${kind ?? 'table'}" tabindex="0" role="group" aria-label="Table"><table>\n`;
};
rules.table_close = () => '</table></div>\n';
