import { addresses, anchorTo, type SitePaths } from '../html/page-links.ts';
import type { Article } from '../markdown/markdown.ts';
import type { Operation, Reference } from '../openapi/reference.ts';
import type { Guide, Topic } from './site-options.ts';

/** One thing that the search finds. The browser has a type of the same form. */
interface SearchEntry {
  /** From the root of the service. */
  readonly href: string;
  readonly title: string;
  /** What it is: the method and path of an operation, the guide of a section. */
  readonly detail: string;
  /** Further words to find it by. */
  readonly text: string;
  /** Whether it is the row of a table that explains a code. */
  readonly isCode?: true;
}

/** A guide as it is shown. */
export interface GuideArticle {
  readonly guide: Guide;
  /** The title of the section that lists it. */
  readonly section: string;
  readonly article: Article;
}

interface SearchSource {
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly articles: readonly GuideArticle[];
  readonly paths: SitePaths;
}

// Enough to find a section by, without shipping every guide a second time.
const longestText = 200;

/** Everything that can be found, in the order in which equal matches are listed. */
export function listSearchEntries({ reference, topics, articles, paths }: SearchSource): SearchEntry[] {
  return [
    ...reference.groups.flatMap(({ operations }) =>
      operations.map((operation) => ({
        href: addresses.operation(paths, operation.id),
        title: operation.title,
        detail: operation.isWebhook ? `Event ${operation.path}` : `${operation.method} ${operation.path}`,
        text: shorten(operationWords(operation)),
      })),
    ),
    ...reference.groups.map(({ id, name, description }) => ({
      href: addresses.group(paths, id),
      title: name,
      detail: 'API reference',
      text: shorten(description),
    })),
    ...topics.map(({ id, title, markdown }) => ({
      href: addresses.basics(paths) + anchorTo(id),
      title,
      detail: 'API basics',
      text: shorten(markdown),
    })),
    ...articles.flatMap(({ guide, section, article }) =>
      article.sections.map(({ id, title, text, inlineCode }, index) => ({
        href: addresses.guide(paths, guide.path) + (index === 0 ? '' : anchorTo(id)),
        title,
        // Guides of two sections may have the same title.
        detail: index === 0 ? section : guide.title,
        text: shorten(text, inlineCode),
        ...(article.codes.includes(id) ? { isCode: true as const } : {}),
      })),
    ),
  ];
}

function operationWords({ id, description }: Operation): string {
  return `${id} ${description}`;
}

/** The beginning of a text, and all names in it that are written as code: people search for those wherever they stand. */
function shorten(markdown: string, inlineCode: readonly string[] = listInlineCode(markdown)): string {
  const text = toPlain(markdown).slice(0, longestText);
  const names = [...new Set(inlineCode.map(toPlain))].filter((name) => !text.includes(name));
  return [text, ...names].join(' ');
}

function listInlineCode(markdown: string): string[] {
  return [...markdown.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
}

function toPlain(markdown: string): string {
  return markdown.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim();
}
