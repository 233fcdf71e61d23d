import { describe, expect, it } from 'vitest';
import { renderArticle, renderBesideCode, renderDescription, renderInline } from './markdown.ts';

const article = (markdown: string) =>
  renderArticle(markdown, { label: 'Guide', resolveLink: (href) => (href === 'out.md' ? null : `/${href}`) });
const contentOf = (markdown: string) => article(markdown).content.toString();

describe('an article', () => {
  it('gives headings the ids that GitHub gives them', () => {
    const { headings, content } = article('# A\n\n## The `x-key` header\n\n## Same\n\n### Same\n\n#### Deep');
    expect(headings).toEqual([
      { level: 2, id: 'the-x-key-header', text: 'The x-key header' },
      { level: 2, id: 'same', text: 'Same' },
      { level: 3, id: 'same-1', text: 'Same' },
    ]);
    expect(content.toString()).toContain(
      '<h2 id="the-x-key-header"><a href="#the-x-key-header">The <code>x-key</code> header</a></h2>',
    );
  });

  it('gives a table row the id of the code that it explains', () => {
    const { content, sections } = article(
      '| Status | Code | Meaning |\n|---|---|---|\n| 404 | `NOT_FOUND` | Not there |\n| 404 | `NOT_FOUND` | Twice |\n| 1 | `take` | No |',
    );
    expect(content.toString().match(/<tr id="[^"]*">/g)).toEqual(['<tr id="NOT_FOUND">']);
    expect(content.toString()).toContain('<a href="#NOT_FOUND"><code>NOT_FOUND</code></a>');
    expect(sections).toEqual([
      { id: 'NOT_FOUND', title: 'NOT_FOUND', text: '404 Not there', inlineCode: [] },
    ]);
  });

  it('resolves links, and makes plain text of those that lead nowhere', () => {
    expect(contentOf('[a](b.md#c) and [gone](out.md).')).toBe('<p><a href="/b.md#c">a</a> and gone.</p>\n');
  });

  it('does not nest links in headings', () => {
    expect(contentOf('## See [a](b.md)')).toBe('<h2 id="see-a"><a href="#see-a">See a</a></h2>\n');
  });

  it('escapes HTML and refuses script addresses', () => {
    expect(contentOf('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
    expect(contentOf('[a](javascript:alert(1))')).not.toContain('<a');
    expect(contentOf('```html\n</code><img src=x>\n```')).not.toContain('<img');
    expect(contentOf('```<img>\nx\n```')).not.toContain('<img');
    expect(contentOf('## <b>"x"')).toContain('id="bx"');
  });

  it('highlights code and titles it by its language', () => {
    const content = contentOf('```js\nconst a = 1;\n```');
    expect(content).toContain('<span>JavaScript</span>');
    expect(content).toContain('<span class="hljs-keyword">const</span>');
  });

  it('draws a state diagram as a table of its transitions', () => {
    const content = contentOf(
      '```mermaid\nstateDiagram-v2\n  [*] --> DRAFT\n  DRAFT --> LISTED\n  DRAFT --> SOLD\n```',
    );
    expect(content).toContain('<tr><td>Start</td><td><code>DRAFT</code></td></tr>');
    expect(content).toContain(
      '<tr><td><code>DRAFT</code></td><td><code>LISTED</code> <code>SOLD</code></td></tr>',
    );
    expect(contentOf('```mermaid\nflowchart\n  A --> B\n```')).toContain('flowchart');
  });

  it('lists the text under each heading for the search', () => {
    expect(article('# A\n\nOne\ntwo.\n\n## B\n\nThree `x-four`.').sections).toEqual([
      { id: 'a', title: 'A', text: 'One two.', inlineCode: [] },
      { id: 'b', title: 'B', text: 'Three x-four.', inlineCode: ['x-four'] },
    ]);
  });
});

describe('a description', () => {
  it('puts its headings below the one that it stands under', () => {
    expect(renderDescription('# One\n\n## Two', { headingLevel: 4 }).toString()).toBe(
      '<h4>One</h4>\n<h5>Two</h5>\n',
    );
  });

  it('keeps links to elsewhere only', () => {
    expect(renderInline('[a](https://example.com/) [b](other.md) `c`').toString()).toBe(
      '<a href="https://example.com/" rel="noreferrer">a</a> b <code>c</code>',
    );
  });
});

describe('text beside code', () => {
  it('separates the code, titled by the words after its language', () => {
    const { text, code } = renderBesideCode('Before\n\n```json Success\n{}\n```\n\nAfter', {
      label: 'Topic',
      resolveLink: () => null,
    });
    expect(text.toString()).toBe('<p>Before</p>\n<p>After</p>\n');
    expect(code.toString()).toContain('<span>Success</span>');
    expect(code.toString()).toContain('aria-label="Success, Topic"');
  });
});
