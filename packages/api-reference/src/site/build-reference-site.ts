import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { guidePage } from '../html/guide-page.ts';
import { guidePath, PageLinks, type SitePaths } from '../html/page-links.ts';
import { referencePage } from '../html/reference-page.ts';
import { type Article, renderArticle } from '../markdown/markdown.ts';
import type { ReferenceDocument } from '../openapi/openapi-document.ts';
import { type ReadOptions, readReference } from '../openapi/read-reference.ts';
import { readAssets } from './assets.ts';
import { pause } from './pause.ts';
import { listSearchEntries } from './search-entries.ts';
import type { Guide, Topic } from './site-options.ts';

export interface ReferenceSiteOptions extends ReadOptions {
  readonly paths: SitePaths;
  readonly topics?: readonly Topic[];
  readonly guides?: readonly Guide[];
}

export interface SiteFile {
  /** From the root of the service, without a leading slash. */
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
  /** Whether the path changes with the content, so that the file may be cached for good. */
  readonly isVersioned: boolean;
}

/**
 * Turns an OpenAPI document and guides in Markdown into a site: one page for the reference, one for each guide, and the
 * style sheet and scripts that they share. The pages load nothing from elsewhere and contain no inline script or style.
 * It pauses regularly, so that the process can serve requests meanwhile.
 */
export async function buildReferenceSite(
  document: ReferenceDocument,
  options: ReferenceSiteOptions,
): Promise<SiteFile[]> {
  const { paths, topics = [], guides = [] } = options;
  const reference = await readReference(document, options);
  const names = new Set(guides.map(({ name }) => name));
  const articles: GuideArticle[] = [];
  for (const guide of guides) {
    const path = guidePath(paths, guide.name);
    const links = new PageLinks(path, paths);
    const resolveLink = (href: string) => links.resolve(href, names);
    const article = renderArticle(guide.markdown, { label: guide.title, resolveLink });
    articles.push({ guide, path, links, article });
    await pause();
  }
  const files = readAssets();
  const entries = listSearchEntries({ reference, topics, articles, paths });
  // Replaces the empty index that the script is compiled with.
  files.set('search-index.js', `export const entries = ${JSON.stringify(entries)};\n`);
  const assets = `${paths.home}/assets/${fingerprint(files)}`;
  const shared = { reference, topics, guides, assets };
  const links = new PageLinks(paths.home, paths);
  return [
    toPage(paths.home, await referencePage({ ...shared, links, codeLinks: linkCodes(articles, links) })),
    ...articles.map(({ path, ...article }) => toPage(path, guidePage({ ...shared, ...article }))),
    ...[...files].map(([name, content]) => ({
      path: `${assets}/${name}`,
      contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
      content,
      isVersioned: true,
    })),
  ];
}

interface GuideArticle {
  readonly guide: Guide;
  readonly path: string;
  readonly links: PageLinks;
  readonly article: Article;
}

/** Links each code to the table row of the guide that explains it. */
function linkCodes(articles: readonly GuideArticle[], links: PageLinks): Map<string, string> {
  return new Map(
    articles.flatMap(({ guide, article }) =>
      article.codes.map((code): [string, string] => [code, `${links.guide(guide.name)}#${code}`]),
    ),
  );
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function toPage(path: string, content: string): SiteFile {
  return { path, contentType: 'text/html; charset=utf-8', content, isVersioned: false };
}

/** One for all files, because the scripts import each other by relative paths. */
function fingerprint(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content}\0`);
  return hash.digest('hex').slice(0, 16);
}
