import { posix } from 'node:path';

/** Ids of the page itself. Those of operations come from the document. */
export const pageIds = {
  main: 'page-main',
  side: 'page-side',
  search: 'page-search',
  results: 'page-results',
  status: 'page-status',
  guides: 'page-guides',
  operations: 'page-operations',
  introduction: 'page-introduction',
  authentication: 'page-authentication',
} as const;

/** A link to a place on the same page. The id may hold any character. */
export function anchorTo(id: string): string {
  return `#${encodeURIComponent(id)}`;
}

/** Where the pages of a site are, as paths without a leading slash. */
export interface SitePaths {
  /** The overview, such as `docs`. Every other page is below it. */
  readonly home: string;
  readonly openApi: string;
}

/** The addresses of pages from the root of the service, without a leading slash. */
export const addresses = {
  basics: ({ home }: SitePaths) => `${home}/reference`,
  group: ({ home }: SitePaths, id: string) => `${home}/reference/${encodeURIComponent(id)}`,
  operation: ({ home }: SitePaths, id: string) => `${home}/operations/${encodeURIComponent(id)}`,
  guide: ({ home }: SitePaths, path: string) => `${home}/${path}`,
};

/** The address of the page that is made from a file, by the path of the file. */
export type PagesBySource = ReadonlyMap<string, string>;

/** Relative links from one page of the site, so that the site also works behind a proxy that adds a prefix. */
export class PageLinks {
  /** Leads from the page to the root of the service. */
  readonly root: string;

  constructor(page: string) {
    this.root = '../'.repeat(page.split('/').length - 1);
  }

  to(address: string): string {
    return this.root + address;
  }

  /**
   * A link that an author wrote in the file `source` to another file: `errors.md#NOT_FOUND`. Null where no page is made of that file.
   * `extension` is put behind the address.
   */
  resolve(href: string, { source, pages, extension = '' }: LinkContext): string | null {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [file = '', ...fragment] = href.split(/(?=#)/);
    const page = pages.get(posix.join(posix.dirname(source), file));
    return page === undefined ? null : this.to(page) + extension + fragment.join('');
  }
}

export interface LinkContext {
  readonly source: string;
  readonly pages: PagesBySource;
  readonly extension?: string;
}
