import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { basicsPage } from '../html/basics-page.ts';
import { groupPage } from '../html/group-page.ts';
import { guidePage } from '../html/guide-page.ts';
import { operationPage } from '../html/operation-page.ts';
import { overviewPage } from '../html/overview-page.ts';
import { addresses, PageLinks, type SitePaths } from '../html/page-links.ts';
import type { Site } from '../html/site.ts';
import { renderArticle } from '../markdown/markdown.ts';
import type { ReferenceDocument } from '../openapi/openapi-document.ts';
import { type ReadOptions, readReference } from '../openapi/read-reference.ts';
import { operationText } from '../text/operation-text.ts';
import { basicsText, groupText, guideText, llmsText, overviewText } from '../text/site-text.ts';
import { readAssets } from './assets.ts';
import { type GuideArticle, listSearchEntries } from './search-entries.ts';
import type { GuideSection, Topic } from './site-options.ts';

export interface ReferenceSiteOptions extends ReadOptions {
  readonly paths: SitePaths;
  /** The address of the root of the service, with a slash at its end. `llms.txt` names pages by it. */
  readonly root: string;
  readonly topics?: readonly Topic[];
  readonly sections?: readonly GuideSection[];
  /** Files whose content is on the overview, such as a list of guides. Links to them lead there. */
  readonly homeSources?: readonly string[];
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
 * Turns an OpenAPI document and guides in Markdown into a site: an overview, a page for each group, operation and guide, and the
 * style sheet and scripts that they share. Each page also is a Markdown file, whose address ends in `.md`. The pages load nothing from
 * elsewhere and contain no inline script or style.
 */
export function buildReferenceSite(document: ReferenceDocument, options: ReferenceSiteOptions): SiteFile[] {
  const { paths, topics = [], sections = [], homeSources = [] } = options;
  const reference = readReference(document, options);
  const guides = sections.flatMap(({ title: section, guides: listed }) =>
    listed.map((guide) => ({ guide, section })),
  );
  const pagesBySource = new Map([
    ...homeSources.map((source): [string, string] => [source, paths.home]),
    ...guides.map(({ guide: { source, path } }): [string, string] => [source, addresses.guide(paths, path)]),
  ]);
  const articles = guides.map(({ guide, section }): GuideArticle => {
    const links = new PageLinks(addresses.guide(paths, guide.path));
    const resolveLink = (href: string) => links.resolve(href, { source: guide.source, pages: pagesBySource });
    return { guide, section, article: renderArticle(guide.markdown, { label: guide.title, resolveLink }) };
  });
  const files = readAssets();
  const entries = listSearchEntries({ reference, topics, articles, paths });
  // Replaces the empty index that the script is compiled with.
  files.set('search-index.js', `export const entries = ${JSON.stringify(entries)};\n`);
  const assets = `${paths.home}/assets/${fingerprint(files)}`;
  const codes = locateCodes(articles, paths);
  const site: Site = { paths, reference, topics, sections, pagesBySource, codes, assets };
  return [
    ...toPages(paths.home, overviewPage(site), overviewText(site)),
    ...toPages(addresses.basics(paths), basicsPage(site), basicsText(site)),
    ...reference.groups.flatMap((group) => [
      ...toPages(addresses.group(paths, group.id), groupPage(site, group), groupText(site, group)),
      ...group.operations.flatMap((operation) =>
        toPages(
          addresses.operation(paths, operation.id),
          operationPage(site, group, operation),
          operationText(operation),
        ),
      ),
    ]),
    ...articles.flatMap(({ guide, article }) =>
      toPages(addresses.guide(paths, guide.path), guidePage(site, guide, article), guideText(site, guide)),
    ),
    toFile('llms.txt', 'text/plain; charset=utf-8', llmsText(site, options.root)),
    ...[...files].map(([name, content]) => ({
      ...toFile(`${assets}/${name}`, contentTypes[extname(name)] ?? 'application/octet-stream', content),
      isVersioned: true,
    })),
  ];
}

/** The address of the table row of a guide that explains each code. */
function locateCodes(articles: readonly GuideArticle[], paths: SitePaths): Map<string, string> {
  return new Map(
    articles.flatMap(({ guide, article }) =>
      article.codes.map((code): [string, string] => [code, `${addresses.guide(paths, guide.path)}#${code}`]),
    ),
  );
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function toPages(address: string, page: string, text: string): SiteFile[] {
  return [
    toFile(address, 'text/html; charset=utf-8', page),
    toFile(`${address}.md`, 'text/markdown; charset=utf-8', text),
  ];
}

function toFile(path: string, contentType: string, content: string): SiteFile {
  return { path, contentType, content, isVersioned: false };
}

/** One for all files, because the scripts import each other by relative paths. */
function fingerprint(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content}\0`);
  return hash.digest('hex').slice(0, 16);
}
