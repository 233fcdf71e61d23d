/** Ids of the page itself. Those of operations come from the document. */
export const pageIds = {
  main: 'page-main',
  side: 'page-side',
  search: 'page-search',
  results: 'page-results',
  status: 'page-status',
  guides: 'page-guides',
  introduction: 'page-introduction',
  authentication: 'page-authentication',
} as const;

/** A link to a place on the same page. The id may hold any character. */
export function anchorTo(id: string): string {
  return `#${encodeURIComponent(id)}`;
}

/** Where the pages of a site are, as paths without a leading slash. */
export interface SitePaths {
  /** The reference itself, such as `docs`. */
  readonly home: string;
  readonly openApi: string;
}

/** Relative links from one page of the site, so that the site also works behind a proxy that adds a prefix. */
export class PageLinks {
  /** Leads from the page to the root of the service. */
  readonly root: string;
  readonly #paths: SitePaths;

  constructor(page: string, paths: SitePaths) {
    this.root = '../'.repeat(page.split('/').length - 1);
    this.#paths = paths;
  }

  get home(): string {
    return this.root + this.#paths.home;
  }

  get openApi(): string {
    return this.root + this.#paths.openApi;
  }

  guide(name: string): string {
    return this.root + guidePath(this.#paths, name);
  }

  /** A link that an author wrote to another document: `errors.md#NOT_FOUND`. Null where it leads out of the site. */
  resolve(href: string, guides: ReadonlySet<string>): string | null {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [, name = '', fragment = ''] = /^(?:\.\/|guides\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    if (name === 'README') return `${this.home}#${pageIds.guides}`;
    return guides.has(name) ? this.guide(name) + fragment : null;
  }
}

export function guidePath(paths: SitePaths, name: string): string {
  return `${paths.home}/guides/${name}`;
}
