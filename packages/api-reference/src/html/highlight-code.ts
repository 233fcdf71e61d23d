import { createRequire } from 'node:module';
import { type Html, html, trusted } from './html.ts';
import { memoize } from './memoize.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(aliases: string[], options: { languageName: string }): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Not imported, because its types would bring the DOM into every program that imports this one, and code of a server
// could then use `document` without a complaint of the compiler.
const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
const languages = ['bash', 'go', 'http', 'javascript', 'json', 'php', 'python', 'sql', 'typescript', 'yaml'];
for (const name of languages) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}
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
