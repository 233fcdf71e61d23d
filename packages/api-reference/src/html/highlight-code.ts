import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { type Html, html, trusted } from './html.ts';
import { memoize } from './memoize.ts';

const languages = { bash, go, http, javascript, json, php, python, sql, typescript, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);
highlighter.registerAliases(['shell', 'curl', 'cli', 'console'], { languageName: 'bash' });
highlighter.registerAliases(['node', 'node.js'], { languageName: 'javascript' });

/** Code with its tokens marked up. A language that is not known is shown as plain text. */
export const highlightCode = memoize((code: string, language: string): Html => {
  const name = language.toLowerCase();
  if (!highlighter.getLanguage(name)) return html`${code}`;
  const { value } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
  // Punctuation has the colour of text. Its spans would make up half of a JSON document.
  return trusted(value.replaceAll(/<span class="hljs-punctuation">(.*?)<\/span>/g, '$1'));
});
