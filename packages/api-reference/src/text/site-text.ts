import { firstParagraph } from '../html/operation-address.ts';
import { addresses, type LinkContext, PageLinks } from '../html/page-links.ts';
import { type Site, topicSource } from '../html/site.ts';
import { withoutComments } from '../markdown/parser.ts';
import type { Operation, OperationGroup } from '../openapi/reference.ts';
import type { Guide } from '../site/site-options.ts';
import { blocks, oneLine, plainLinks } from './operation-text.ts';

/** A list of everything for programs that read, by the convention of llmstxt.org. `root` stands before every address. */
export function llmsText(site: Site, root: string): string {
  return blocks(...listBlocks(site, (address) => `${root}${address}`));
}

/** The overview in Markdown. */
export function overviewText(site: Site): string {
  const links = new PageLinks(site.paths.home);
  return blocks(...listBlocks(site, (address) => links.to(address)));
}

function listBlocks(site: Site, hrefOf: (address: string) => string): string[] {
  const { paths, reference, sections } = site;
  const page = (address: string) => `${hrefOf(address)}.md`;
  const guideBlocks = sections.map(({ title, guides }) => [
    `## ${title}`,
    guides
      .map((guide) => link(guide.title, page(addresses.guide(paths, guide.path)), guide.description))
      .join('\n'),
  ]);
  const [first = [], ...others] = guideBlocks;
  return [
    `# ${reference.title}`,
    `> ${reference.summary}`,
    plainLinks(reference.description),
    serverLines(site),
    ...first,
    '## API reference',
    [
      link('API basics', page(addresses.basics(paths)), 'Authentication, signing, responses and retries'),
      link('OpenAPI document', hrefOf(paths.openApi), 'Every operation, for generators and other tools'),
    ].join('\n'),
    ...reference.groups.flatMap(({ name, operations }) => [
      `## ${name}`,
      operations
        .map((operation) =>
          link(
            operation.title,
            page(addresses.operation(paths, operation.id)),
            operation.isWebhook ? `Event \`${operation.path}\`` : `\`${operation.method} ${operation.path}\``,
          ),
        )
        .join('\n'),
    ]),
    ...others.flat(),
  ];
}

/** What holds for every operation, in Markdown. */
export function basicsText(site: Site): string {
  const { paths, reference, topics, pagesBySource } = site;
  const links = new PageLinks(addresses.basics(paths));
  const context = { source: topicSource(paths), pages: pagesBySource, extension: '.md' };
  return blocks(
    '# API basics',
    plainLinks(reference.description),
    serverLines(site),
    ...(reference.schemes.length > 0
      ? [
          '## Authentication',
          reference.schemes
            .map(({ label, place, description }) => {
              return `- ${label}${place ? ` (${place})` : ''}: ${oneLine(description)}`;
            })
            .join('\n'),
        ]
      : []),
    ...topics.flatMap(({ title, markdown }) => [`## ${title}`, rewriteLinks(markdown, links, context)]),
  );
}

/** The operations of a group, in Markdown. */
export function groupText({ paths }: Site, group: OperationGroup): string {
  const links = new PageLinks(addresses.group(paths, group.id));
  const line = (operation: Operation) =>
    link(
      operation.title,
      `${links.to(addresses.operation(paths, operation.id))}.md`,
      `\`${operation.method} ${operation.path}\`. ${oneLine(firstParagraph(operation.description))}`,
    );
  return blocks(`# ${group.name}`, plainLinks(group.description), group.operations.map(line).join('\n'));
}

/** The text of a guide, with links that lead to the pages of the site. */
export function guideText({ paths, pagesBySource }: Site, guide: Guide): string {
  const links = new PageLinks(addresses.guide(paths, guide.path));
  return rewriteLinks(withoutComments(guide.markdown), links, {
    source: guide.source,
    pages: pagesBySource,
    extension: '.md',
  });
}

function rewriteLinks(markdown: string, links: PageLinks, context: LinkContext): string {
  // Code stays as it is: blocks between fences, and what is between backticks.
  const parts = markdown.split(/(^ {0,3}```[\s\S]*?^ {0,3}```[^\n]*$)/m);
  const rewrite = (text: string) =>
    text.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_link, label: string, href: string) => {
      const resolved = links.resolve(href, context);
      return resolved === null ? label : `[${label}](${resolved})`;
    });
  return parts.map((part, index) => (index % 2 === 0 ? rewrite(part) : part)).join('');
}

function serverLines({ reference }: Site): string {
  return reference.servers.map(({ url, description }) => `- ${description || 'Base URL'}: ${url}`).join('\n');
}

function link(title: string, href: string, description: string): string {
  return `- [${title}](${href})${description ? `: ${oneLine(description)}` : ''}`;
}
