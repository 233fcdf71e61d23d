import { type Html, html } from './html.ts';

/** Text with `code` between backticks, which is all the markup that descriptions use. */
export function inlineProse(text: string): Html {
  const pieces = text.split(/`([^`]+)`/);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`;
}

/** Paragraphs are parted by empty lines. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${inlineProse(paragraph)}</p>`)}`;
}
