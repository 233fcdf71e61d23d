import { describe, expect, it } from 'vitest';
import { expectHeadingsInOrder, expectStrict, expectWellFormed } from '../../test/check-page.ts';
import { hostile, hostileDocument } from '../../test/hostile-document.ts';
import { petstore } from '../../test/petstore.ts';
import type { ReferenceDocument } from '../openapi/openapi-document.ts';
import { buildReferenceSite, type ReferenceSiteOptions, type SiteFile } from './build-reference-site.ts';

const paths = { home: 'docs', openApi: 'v2/openapi.json' };
const guides = [
  {
    name: 'start',
    title: 'Start',
    description: 'The first `pet`',
    markdown:
      '# Start\n\nSee [errors](errors.md#NO_PET), [all](README.md) and [code](../src/a.ts).\n\n## One\n\n## Two',
  },
  {
    name: 'errors',
    title: 'Errors',
    description: '',
    markdown: '# Errors\n\n| Code | Meaning |\n|---|---|\n| `NO_PET` | It ran away |',
  },
];
const topics = [
  {
    id: 'paging',
    title: 'Paging',
    markdown: 'In pages, see [Start](guides/start.md).\n\n```json A page\n{"pets":[]}\n```',
  },
];

function build(
  document: ReferenceDocument,
  options: Partial<ReferenceSiteOptions> = {},
): Promise<SiteFile[]> {
  return buildReferenceSite(document, { paths, ...options });
}

function contentOf(files: readonly SiteFile[], path: string): string {
  const file = files.find((one) => one.path === path || one.path.endsWith(`/${path}`));
  if (!file) throw new Error(`There is no ${path}`);
  return file.content;
}

describe('the reference of another service', async () => {
  const files = await build(petstore, { guides, topics });
  const page = contentOf(files, 'docs');
  const sectionOf = (id: string) => {
    const start = page.indexOf(`<section class="operation" id="${id}"`);
    const end = page.indexOf('<section class="operation"', start + 1);
    return page.slice(start, end < 0 ? undefined : end);
  };

  it('has pages that are well-formed, keep to a strict policy and have their headings in order', () => {
    const pages = files.filter(({ contentType }) => contentType.startsWith('text/html'));
    expect(pages.map(({ path }) => path)).toEqual(['docs', 'docs/guides/start', 'docs/guides/errors']);
    for (const { content } of pages) {
      expect(content).toMatch(/^<!doctype html>\n<html lang="en"/);
      expectWellFormed(content);
      expectStrict(content);
      expectHeadingsInOrder(content);
    }
  });

  it('has only links that lead somewhere', () => {
    const known = new Set(files.map(({ path }) => `/${path}`)).add('/v2/openapi.json');
    for (const { path, content } of files.filter(({ contentType }) => contentType.startsWith('text/html'))) {
      for (const [, href = ''] of content.matchAll(/\shref="([^"]*)"/g)) {
        const url = new URL(href, `https://pets.example/${path}`);
        if (href.startsWith('https:')) continue;
        expect(known).toContain(url.pathname);
        if (!url.hash) continue;
        const target = contentOf(files, url.pathname.slice(1));
        expect(target).toContain(` id="${decodeURIComponent(url.hash.slice(1))}"`);
      }
    }
  });

  it('has a section and a link for every operation, and for webhooks', () => {
    const navigation = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
    for (const id of ['listPets', 'addPet', 'delete-pets-petid', 'get-status', 'petSold']) {
      expect(sectionOf(id)).toContain(`id="${id}"`);
      expect(navigation).toContain(`href="#${id}"`);
    }
    expect(navigation).toContain('<p>Pets</p>');
    expect(navigation).toContain('<p>Other</p>');
    expect(navigation).toContain('<p>Webhooks</p>');
    expect(sectionOf('petSold')).toContain('Sent by the service to your endpoint');
  });

  it('resolves references to parameters, bodies, responses, headers, examples and schemas', () => {
    const list = sectionOf('listPets');
    expect(list).toContain('<code class="name">limit</code>');
    expect(list).toContain('<code>1 to 100</code>');
    expect(list).toContain('array of Pet objects');
    expect(list).toContain('Person object or null');
    expect(list).toContain('Address of the next page');
    expect(list).toContain('>200 Some</button>');
    expect(list).toContain('>200 None</button>');
    expect(list).toContain('Also available as <code>text/csv</code>');
    expect(list).toContain('<code>default</code> <span>Something is wrong</span>');
    expect(list).toContain(
      '<a href="docs/guides/errors#NO_PET"><code>NO_PET</code></a></dt><dd>There is <code>no',
    );
    expect(list).toContain('<dt><code>OTHER</code></dt>');
    expect(list).toContain(
      '<code>X-Reason</code> <span class="count">header</span></dt><dd>Says <strong>why',
    );
    expect(list.match(/X-Next/g)).toHaveLength(1);
    expect(list).toContain('No such pet');
    const add = sectionOf('addPet');
    expect(add).toContain('What it listens to');
    expect(add).toContain('One of <code>CAT</code> <code>DOG</code>');
  });

  it('includes the parameters of the path', () => {
    expect(sectionOf('delete-pets-petid')).toContain('Which pet');
  });

  it('says which credentials an operation takes', () => {
    expect(sectionOf('listPets')).toContain('</a>: Bearer token</p>');
    expect(sectionOf('addPet')).toContain(
      '</a>: Bearer token or HTTP Basic authentication and <code>client_id</code></p>',
    );
    expect(sectionOf('get-status')).toContain('No authentication');
    expect(page).toContain('From your account');
  });

  it('marks what is deprecated', () => {
    expect(sectionOf('delete-pets-petid')).toContain('<span class="deprecated">deprecated</span>');
    expect(sectionOf('addPet')).toMatch(/kind<\/code>.*deprecated/);
  });

  it('shows the samples of the document in tabs, or else one that it makes', () => {
    const add = sectionOf('addPet');
    expect(add.match(/role="tab" [^>]*>/g)).toHaveLength(2);
    expect(add).toContain('>Node</button>');
    expect(add).toContain('<span class="hljs-keyword">await</span>');
    expect(sectionOf('listPets')).toContain('https://pets.example/v2/pets');
    expect(sectionOf('petSold')).not.toContain('curl');
  });

  it('renders Markdown in descriptions, and escapes nothing twice', () => {
    expect(page).toContain('<p>Sells <strong>pets</strong>.</p>');
    expect(page).toContain('<p>Everything about <code>pets</code></p>');
    expect(page).not.toContain('&amp;quot;');
  });

  it('shows topics with their code beside them, and guides as cards', () => {
    expect(page).toContain('<section class="topic" id="paging">');
    expect(page).toContain('In pages, see <a href="docs/guides/start">Start</a>.');
    expect(page).toContain('<span>The first <code>pet</code></span>');
  });

  it('names the servers and the OpenAPI document', () => {
    expect(page).toContain('<code>https://pets.example/v2</code>');
    expect(page).toContain('<code>https://test.pets.example</code>');
    expect(page).toContain('href="v2/openapi.json"');
  });

  it('links guides to each other, with a table of contents where it helps', () => {
    const start = contentOf(files, 'docs/guides/start');
    expect(start).toContain('href="../../docs/guides/errors#NO_PET"');
    expect(start).toContain('<a href="../../docs#page-guides">all</a> and code.');
    expect(start).toContain('<li class="level-2"><a href="#one">One</a></li>');
    expect(start).toContain('aria-current="page">Start</a>');
    expect(contentOf(files, 'docs/guides/errors')).toContain('<tr id="NO_PET">');
    expect(contentOf(files, 'docs/guides/errors')).not.toContain('class="toc"');
  });

  it('has an index for the search, of operations, topics, guides and codes', () => {
    const index = contentOf(files, 'search-index.js');
    const entries = JSON.parse(index.slice(index.indexOf('['), index.lastIndexOf(']') + 1));
    expect(entries).toContainEqual({
      href: 'docs#listPets',
      title: 'List pets',
      detail: 'GET /pets',
      text: 'listPets Newest first.',
    });
    expect(entries.map(({ href }: { href: string }) => href)).toEqual(
      expect.arrayContaining(['docs#paging', 'docs/guides/start#one', 'docs/guides/errors#NO_PET']),
    );
  });

  it('versions its assets by their content', async () => {
    const assetsOf = (site: readonly SiteFile[]) =>
      site.filter(({ isVersioned }) => isVersioned).map(({ path }) => path);
    expect(assetsOf(files)).toEqual(assetsOf(await build(petstore, { guides, topics })));
    expect(assetsOf(files)).not.toEqual(assetsOf(await build(petstore, { guides })));
    expect(assetsOf(files).map((path) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['reference.css', 'noscript.css', 'icon.svg', 'main.js', 'search-index.js']),
    );
  });
});

describe('a reference', () => {
  it('shows the payload instead of the envelope where it is told which property that is', async () => {
    const schema = {
      type: 'object',
      properties: {
        success: { type: 'boolean' },
        data: { type: 'object', properties: { id: { type: 'string', description: 'Which one' } } },
      },
    };
    const responses = { '200': { description: 'OK', content: { 'application/json': { schema } } } };
    const document = { ...petstore, paths: { '/x': { get: { responses } } }, webhooks: {} };
    const names = (page: string) => [...page.matchAll(/class="name">([^<]*)</g)].map(([, name]) => name);
    expect(names(contentOf(await build(document), 'docs'))).toEqual(['success', 'data', 'id']);
    expect(names(contentOf(await build(document, { payloadProperty: 'data' }), 'docs'))).toEqual(['id']);
  });

  it('does not let the text of a document become markup', async () => {
    const topic = { id: 'topic', title: hostile, markdown: hostile };
    const guide = {
      name: 'guide',
      title: hostile,
      description: hostile,
      markdown: `# ${hostile}\n\n${hostile}`,
    };
    const files = await build(hostileDocument, { topics: [topic], guides: [guide] });
    for (const path of ['docs', 'docs/guides/guide']) {
      const page = contentOf(files, path);
      expectWellFormed(page);
      expectStrict(page);
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
  });

  it('keeps ids unique where a document does not', async () => {
    const get = { operationId: 'same', summary: 'Same', responses: {} };
    const document = { ...petstore, paths: { '/a': { get }, '/b': { get } } };
    expectWellFormed(contentOf(await build(document), 'docs'));
  });

  it('renders the smallest document there is', async () => {
    const document = { openapi: '3.1.0', info: { title: 'Nothing', version: '0' } };
    const page = contentOf(await build(document), 'docs');
    expectWellFormed(page);
    expectHeadingsInOrder(page);
  });

  it('stays well-formed with very many operations', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `/pets/${index}`,
        { get: { operationId: `get${index}`, summary: `Get ${index}`, responses: {} } },
      ]),
    );
    const page = contentOf(await build({ ...petstore, paths: many }), 'docs');
    expect(page.match(/<section class="operation"/g)).toHaveLength(301);
    expectWellFormed(page);
  });
});

it('lets other work run between its pieces', async () => {
  let turns = 0;
  let isBuilt = false;
  const count = () => {
    turns += 1;
    if (!isBuilt) setImmediate(count);
  };
  setImmediate(count);
  await build(petstore, { guides, topics });
  isBuilt = true;
  const operations = Object.values(petstore.paths ?? {}).flatMap((methods) => Object.keys(methods as object));
  // Each operation is read and rendered.
  expect(turns).toBeGreaterThanOrEqual(2 * operations.length + guides.length);
});
