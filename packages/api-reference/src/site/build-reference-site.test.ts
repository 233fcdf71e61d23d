import { describe, expect, it } from 'vitest';
import { expectHeadingsInOrder, expectStrict, expectWellFormed } from '../../test/check-page.ts';
import { hostile, hostileDocument } from '../../test/hostile-document.ts';
import { petstore } from '../../test/petstore.ts';
import type { ReferenceDocument } from '../openapi/openapi-document.ts';
import { buildReferenceSite, type ReferenceSiteOptions, type SiteFile } from './build-reference-site.ts';

const paths = { home: 'docs', openApi: 'v2/openapi.json' };
const guides = [
  {
    path: 'guides/start',
    source: 'docs/guides/start.md',
    title: 'Start',
    description: 'The first `pet`',
    markdown:
      '# Start\n\nSee [errors](../errors.md#NO_PET), [all](README.md) and [code](../../src/a.ts).\n\n## One\n\n## Two',
  },
  {
    path: 'errors',
    source: 'docs/errors.md',
    title: 'Errors',
    description: '',
    markdown: '# Errors\n\n<!-- a note -->\n| Code | Meaning |\n|---|---|\n| `NO_PET` | It ran away |',
  },
];
const sections = [{ title: 'Guides', guides }];
const homeSources = ['docs/guides/README.md'];
const topics = [
  {
    id: 'paging',
    title: 'Paging',
    markdown: 'In pages, see [Start](guides/start.md).\n\n```json A page\n{"pets":[]}\n```',
  },
];

function build(document: ReferenceDocument, options: Partial<ReferenceSiteOptions> = {}): SiteFile[] {
  return buildReferenceSite(document, { paths, root: 'https://pets.example/', homeSources, ...options });
}

function contentOf(files: readonly SiteFile[], path: string): string {
  const file = files.find((one) => one.path === path || one.path.endsWith(`/${path}`));
  if (!file) throw new Error(`There is no ${path}`);
  return file.content;
}

describe('the reference of another service', () => {
  const files = build(petstore, { sections, topics });
  const page = contentOf(files, 'docs');
  const sectionOf = (id: string) => contentOf(files, `docs/operations/${id}`);
  const basics = contentOf(files, 'docs/reference');

  it('has pages that are well-formed, keep to a strict policy and have their headings in order', () => {
    const pages = files.filter(({ contentType }) => contentType.startsWith('text/html'));
    expect(pages.map(({ path }) => path)).toEqual([
      'docs',
      'docs/reference',
      'docs/reference/pets',
      ...['listPets', 'addPet', 'delete-pets-petid'].map((id) => `docs/operations/${id}`),
      'docs/reference/other',
      'docs/operations/get-status',
      'docs/reference/webhooks',
      'docs/operations/petSold',
      'docs/guides/start',
      'docs/errors',
    ]);
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

  it('has a page and a link for every operation, and for webhooks', () => {
    for (const id of ['listPets', 'addPet', 'delete-pets-petid', 'get-status', 'petSold']) {
      expect(page).toContain(`<a id="${id}" data-moved="${id}" href="docs/operations/${id}">`);
    }
    expect(sectionOf('petSold')).toContain('Sent by the service to your endpoint');
  });

  it('lists the groups at the side, and the operations of the group that is shown', () => {
    const navigation = sectionOf('addPet')
      .replace(/[\s\S]*<nav aria-label="Contents">/, '')
      .split('</nav>')[0];
    expect(navigation).toContain('<a href="../../docs/reference/webhooks">Webhooks</a>');
    expect(navigation).toContain('<a href="../../docs/operations/addPet" aria-current="page">');
    expect(navigation).toContain('href="../../docs/operations/listPets"');
    expect(navigation).not.toContain('petSold');
    const group = contentOf(files, 'docs/reference/pets');
    expect(group).toContain('<h2><a href="../../docs/operations/listPets">List pets</a></h2>');
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
      '<a href="../../docs/errors#NO_PET"><code>NO_PET</code></a></dt><dd>There is <code>no',
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
    expect(basics).toContain('From your account');
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
    expect(contentOf(files, 'docs/reference/pets')).toContain('<p>Everything about <code>pets</code></p>');
    expect(page).not.toContain('&amp;quot;');
  });

  it('shows topics with their code beside them, and guides as cards', () => {
    expect(basics).toContain('<section class="topic" id="paging">');
    expect(basics).toContain('In pages, see <a href="../docs/guides/start">Start</a>.');
    expect(page).toContain('<span>The first <code>pet</code></span>');
  });

  it('names the servers and the OpenAPI document', () => {
    expect(page).toContain('<code>https://pets.example/v2</code>');
    expect(page).toContain('<code>https://test.pets.example</code>');
    expect(page).toContain('href="v2/openapi.json"');
  });

  it('links guides to each other, with a table of contents where it helps', () => {
    const start = contentOf(files, 'docs/guides/start');
    expect(start).toContain('href="../../docs/errors#NO_PET"');
    expect(start).toContain('<a href="../../docs">all</a> and code.');
    expect(start).toContain('<li class="level-2"><a href="#one">One</a></li>');
    expect(start).toContain('aria-current="page">Start</a>');
    expect(contentOf(files, 'docs/errors')).toContain('<tr id="NO_PET">');
    expect(contentOf(files, 'docs/errors')).not.toContain('class="toc"');
    expect(contentOf(files, 'docs/errors')).not.toContain('a note');
  });

  it('has an index for the search, of operations, topics, guides and codes', () => {
    const index = contentOf(files, 'search-index.js');
    const entries = JSON.parse(index.slice(index.indexOf('['), index.lastIndexOf(']') + 1));
    expect(entries).toContainEqual({
      href: 'docs/operations/listPets',
      title: 'List pets',
      detail: 'GET /pets',
      text: 'listPets Newest first.',
    });
    expect(entries.map(({ href }: { href: string }) => href)).toEqual(
      expect.arrayContaining(['docs/reference#paging', 'docs/guides/start#one', 'docs/errors#NO_PET']),
    );
  });

  it('finds names in code wherever they stand, and tells guides with the same title apart', () => {
    const markdown = `# Start\n\n${'word '.repeat(100)} \`x-pet-name\`.`;
    const other = { ...guides[0], path: 'operating/start', source: 'docs/operating/start.md', markdown };
    const both = [...sections, { title: 'Operating', guides: [other] }] as typeof sections;
    const index = contentOf(build(petstore, { sections: both }), 'search-index.js');
    const entries = JSON.parse(index.slice(index.indexOf('['), index.lastIndexOf(']') + 1));
    const starts = entries.filter(({ title }: { title: string }) => title === 'Start');
    expect(starts.map(({ detail }: { detail: string }) => detail)).toEqual(['Guides', 'Operating']);
    expect(starts[1].text).toMatch(/^word .+ x-pet-name$/);
    expect(starts[1].text.length).toBeLessThan(220);
  });

  it('versions its assets by their content', () => {
    const assetsOf = (site: readonly SiteFile[]) =>
      site.filter(({ isVersioned }) => isVersioned).map(({ path }) => path);
    expect(assetsOf(files)).toEqual(assetsOf(build(petstore, { sections, topics })));
    expect(assetsOf(files)).not.toEqual(assetsOf(build(petstore, { sections })));
    expect(assetsOf(files).map((path) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['reference.css', 'noscript.css', 'icon.svg', 'main.js', 'search-index.js']),
    );
  });
});

describe('a reference', () => {
  it('shows the payload instead of the envelope where it is told which property that is', () => {
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
    expect(names(contentOf(build(document), 'docs/operations/get-x'))).toEqual(['success', 'data', 'id']);
    expect(names(contentOf(build(document, { payloadProperty: 'data' }), 'docs/operations/get-x'))).toEqual([
      'id',
    ]);
  });

  it('does not let the text of a document become markup', () => {
    const topic = { id: 'topic', title: hostile, markdown: hostile };
    const guide = {
      path: 'guides/guide',
      source: 'guide.md',
      title: hostile,
      description: hostile,
      markdown: `# ${hostile}\n\n${hostile}`,
    };
    const files = build(hostileDocument, {
      topics: [topic],
      sections: [{ title: hostile, guides: [guide] }],
    });
    for (const { path } of files.filter(({ contentType }) => contentType.startsWith('text/html'))) {
      const page = contentOf(files, path);
      expectWellFormed(page);
      expectStrict(page);
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
  });

  it('keeps ids unique where a document does not', () => {
    const get = { operationId: 'same', summary: 'Same', responses: {} };
    const document = { ...petstore, paths: { '/a': { get }, '/b': { get } } };
    const files = build(document);
    expectWellFormed(contentOf(files, 'docs'));
    expect(contentOf(files, 'docs/operations/same')).toContain('/a');
    expect(contentOf(files, 'docs/operations/same-2')).toContain('/b');
  });

  it('renders the smallest document there is', () => {
    const document = { openapi: '3.1.0', info: { title: 'Nothing', version: '0' } };
    const page = contentOf(build(document), 'docs');
    expectWellFormed(page);
    expectHeadingsInOrder(page);
  });

  it('keeps every page small with very many operations', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `/pets/${index}`,
        { get: { operationId: `get${index}`, summary: `Get ${index}`, responses: {} } },
      ]),
    );
    const files = build({ ...petstore, paths: many });
    expect(files.filter(({ path }) => /^docs\/operations\/get\d+$/.test(path))).toHaveLength(300);
    expectWellFormed(contentOf(files, 'docs'));
    for (const { content } of files) expect(content.length).toBeLessThan(300_000);
  });
});

describe('the Markdown of a site', () => {
  const files = build(petstore, { sections, topics, payloadProperty: 'data' });

  it('is beside every page, which names it', () => {
    const pages = files.filter(({ contentType }) => contentType.startsWith('text/html'));
    for (const { path, content } of pages) {
      expect(contentOf(files, `${path}.md`)).toMatch(/^# .+\n/);
      const [, href = ''] = /<link rel="alternate" href="(.*)" type="text\/markdown">/.exec(content) ?? [];
      expect(new URL(href, `https://pets.example/${path}`).pathname).toBe(`/${path}.md`);
    }
  });

  it('has the fields, the samples, the responses and the errors of an operation', () => {
    const add = contentOf(files, 'docs/operations/addPet.md');
    expect(add).toMatch(/^# Add a pet\n\n`POST \/pets`\n/);
    expect(add).toContain('one of `CAT`, `DOG`');
    expect(add).toContain('### Node\n\n```javascript\nawait pets.add({ name: "Rex" });\n```');
    const list = contentOf(files, 'docs/operations/listPets.md');
    expect(list).toContain('- `limit` (integer, optional)');
    expect(list).toContain('## Response 200');
    expect(list).toContain('  - `NO_PET`: There is');
  });

  it('links to other Markdown, and only to what there is', () => {
    const start = contentOf(files, 'docs/guides/start.md');
    expect(start).toContain('[errors](../../docs/errors.md#NO_PET), [all](../../docs.md) and code.');
    const known = new Set(files.map(({ path }) => `/${path}`)).add('/v2/openapi.json');
    for (const { path, content } of files.filter(({ path }) => /\.(md|txt)$/.test(path))) {
      for (const [, href = ''] of content.matchAll(/\]\(([^)\s]+)\)/g)) {
        const url = new URL(href, `https://pets.example/${path}`);
        if (href.startsWith('.') || href.endsWith('.md')) expect(known).toContain(url.pathname);
      }
    }
  });

  it('is listed by llms.txt with absolute addresses', () => {
    const list = contentOf(files, 'llms.txt');
    expect(list).toMatch(/^# Petstore\n\n> /);
    expect(list).toContain('- [Add a pet](https://pets.example/docs/operations/addPet.md): `POST /pets`');
    expect(list).toContain('- [Start](https://pets.example/docs/guides/start.md): The first `pet`');
  });
});
