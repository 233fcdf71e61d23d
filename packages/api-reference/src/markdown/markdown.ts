import type { Html } from '../html/html.ts';
import { memoize } from '../html/memoize.ts';
import { HeadingIds } from './heading-ids.ts';
import {
  type Heading,
  identifyHeadings,
  identifyRows,
  listHeadings,
  listRowIds,
  listSections,
  markWideTables,
  type ResolveLink,
  resolveLinks,
  type Section,
  shiftHeadings,
} from './page-tokens.ts';
import { parseBlocks, parseInline, renderTokens } from './parser.ts';

/** Relative links of a description lead nowhere on the page. */
const keepAbsolute: ResolveLink = (href) => (/^(https?:|mailto:|#)/.test(href) ? href : null);

/** Blocks of text whose headings stand below one of the level before `headingLevel`. */
export function renderDescription(markdown: string, { headingLevel = 4 } = {}): Html {
  return renderBlocks(markdown, String(headingLevel));
}

const renderBlocks = memoize((markdown: string, headingLevel: string): Html => {
  const tokens = parseBlocks(markdown);
  resolveLinks(tokens, keepAbsolute);
  shiftHeadings(tokens, Number(headingLevel) - 1);
  return renderTokens(tokens, '');
});

/** Text on one line, without a paragraph around it. */
export const renderInline = memoize((markdown: string): Html => {
  const tokens = parseInline(markdown);
  resolveLinks(tokens, keepAbsolute);
  return renderTokens(tokens, '');
});

export interface Article {
  readonly content: Html;
  /** Those of the second and third level, for a table of contents. */
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** The ids of the table rows that explain a code. */
  readonly codes: readonly string[];
}

/** A whole document whose headings, and table rows about codes, can be linked to. */
export function renderArticle(
  markdown: string,
  { label, resolveLink }: { label: string; resolveLink: ResolveLink },
): Article {
  const tokens = parseBlocks(markdown);
  const ids = new HeadingIds();
  resolveLinks(tokens, resolveLink);
  identifyHeadings(tokens, ids);
  identifyRows(tokens, ids);
  markWideTables(tokens);
  return {
    content: renderTokens(tokens, label),
    headings: listHeadings(tokens).filter(({ level }) => level === 2 || level === 3),
    sections: listSections(tokens),
    codes: listRowIds(tokens),
  };
}

/** A short text whose code blocks are to stand beside it. */
export function renderBesideCode(
  markdown: string,
  { label, resolveLink }: { label: string; resolveLink: ResolveLink },
): { text: Html; code: Html } {
  const tokens = parseBlocks(markdown);
  resolveLinks(tokens, resolveLink);
  shiftHeadings(tokens, 2);
  const isCode = ({ type, level }: (typeof tokens)[number]) => type === 'fence' && level === 0;
  return {
    text: renderTokens(
      tokens.filter((token) => !isCode(token)),
      label,
    ),
    code: renderTokens(tokens.filter(isCode), label),
  };
}
