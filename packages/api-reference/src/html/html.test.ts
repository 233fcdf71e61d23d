import { describe, expect, it } from 'vitest';
import { html, joined, trusted } from './html.ts';

describe('html', () => {
  it('escapes text, in elements and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&amp;`;
    expect(html`<a title="${hostile}">${hostile}</a>`.toString()).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</a>',
    );
  });

  it('leaves markup, lists of it and trusted text as they are', () => {
    const items = ['<a>', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>${trusted('<wbr>')}`.toString()).toBe(
      '<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul><wbr>',
    );
  });

  it('writes numbers, also zero, and nothing for null', () => {
    expect(html`${0}|${null}|${''}|`.toString()).toBe('0|||');
  });

  it('joins pieces, with the separator escaped', () => {
    expect(joined([html`<i>1</i>`, html`<i>2</i>`], ' & ').toString()).toBe('<i>1</i> &amp; <i>2</i>');
  });
});
