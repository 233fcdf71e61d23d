import type { Token } from 'markdown-it';
import type { HeadingIds } from './heading-ids.ts';

/** Where a link of the text leads on the page; null makes it plain text. */
export type ResolveLink = (href: string) => string | null;

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A part of a document that has an address of its own. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The code inside of its text: names that people look for. */
  readonly inlineCode: readonly string[];
}

export function attribute(token: Token, name: string): string | null {
  const value = token.attrGet(name);
  return value === null || value === undefined ? null : String(value);
}

/** The id of the table row that a code in it names. */
export function anchorOf({ meta }: Token): string | null {
  const anchor: unknown = meta?.anchor;
  return typeof anchor === 'string' ? anchor : null;
}

/** Points links to where they lead on the page. */
export function resolveLinks(tokens: readonly Token[], resolveLink: ResolveLink): void {
  for (const { children } of tokens) {
    // Links do not nest, so one variable suffices.
    let isPlainText = false;
    for (const child of children ?? []) {
      if (child.type === 'link_open') {
        const href = resolveLink(attribute(child, 'href') ?? '');
        isPlainText = href === null;
        if (href !== null) child.attrSet('href', href);
        if (href !== null && /^https?:/.test(href)) child.attrSet('rel', 'noreferrer');
      }
      if (isPlainText && (child.type === 'link_open' || child.type === 'link_close')) child.hidden = true;
    }
  }
}

/** Moves headings down, below a heading of the page that is `offset` levels deep. */
export function shiftHeadings(tokens: readonly Token[], offset: number): void {
  for (const token of tokens) {
    if (token.type !== 'heading_open' && token.type !== 'heading_close') continue;
    token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + offset)}`;
  }
}

/** Gives every heading an id. */
export function identifyHeadings(tokens: readonly Token[], ids: HeadingIds): void {
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || !inline) continue;
    token.attrSet('id', ids.make(plainText(inline)));
    // The heading is a link to itself, and a link must not contain another.
    for (const child of inline.children ?? []) if (child.type.startsWith('link_')) child.hidden = true;
  }
}

const upperSnakeCase = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** A table row that explains a code gets that code as its id. The code is the first cell that contains nothing else. */
export function identifyRows(tokens: readonly Token[], ids: HeadingIds): void {
  let row: Token | null = null;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'tr_open') row = token;
    const [only, another] = token.children ?? [];
    if (!row || tokens[index - 1]?.type !== 'td_open' || another || only?.type !== 'code_inline') continue;
    if (!upperSnakeCase.test(only.content) || !ids.claim(only.content)) continue;
    row.attrSet('id', only.content);
    only.meta = { anchor: only.content };
    row = null;
  }
}

// The longest text that fits beside another column on a phone.
const longestTerm = 14;

/** Marks the tables that are too wide for a phone, and tells each of their cells the title of its column. */
export function markWideTables(tokens: readonly Token[]): void {
  let table: Token | undefined;
  let titles: string[] = [];
  let column = 0;
  const mark = () => table?.attrSet('class', 'table wide');
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type === 'table_open') [table, titles] = [token, []];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open' && text) titles.push(plainText(text));
    if (token.type === 'thead_close' && titles.length > 2) mark();
    if (token.type !== 'td_open' || !text) continue;
    if (titles.length > 2) token.attrSet('data-label', titles[column] ?? '');
    if (column === 0 && plainText(text).length > longestTerm) mark();
    column += 1;
  }
}

export function listHeadings(tokens: readonly Token[]): Heading[] {
  return tokens.flatMap((token, index) => {
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || !inline) return [];
    return [{ level: Number(token.tag.slice(1)), id: attribute(token, 'id') ?? '', text: plainText(inline) }];
  });
}

/** The codes that table rows explain. */
export function listRowIds(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => (token.type === 'tr_open' ? (attribute(token, 'id') ?? []) : []));
}

/** The text under each heading, and each table row that has an id. */
export function listSections(tokens: readonly Token[]): Section[] {
  const sections: (Section & { title: string; text: string; inlineCode: string[] })[] = [];
  const rows: typeof sections = [];
  let row: (typeof sections)[number] | undefined;
  for (const [index, token] of tokens.entries()) {
    const id = attribute(token, 'id');
    if (token.type === 'heading_open' && id !== null)
      sections.push({ id, title: '', text: '', inlineCode: [] });
    if (token.type === 'tr_open') {
      row = id === null ? undefined : { id, title: id, text: '', inlineCode: [] };
      if (row) rows.push(row);
    }
    if (token.type === 'table_close') row = undefined;
    const section = row ?? sections.at(-1);
    if (token.type !== 'inline' || !section) continue;
    const text = plainText(token);
    const code = (token.children ?? []).filter(({ type }) => type === 'code_inline');
    section.inlineCode.push(...code.map(({ content }) => content).filter((each) => each !== section.id));
    if (tokens[index - 1]?.type === 'heading_open') section.title = text;
    else if (text !== section.id) section.text = `${section.text} ${text}`.trim();
  }
  return [...sections, ...rows];
}

function plainText(inline: Token): string {
  return (inline.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');
}
