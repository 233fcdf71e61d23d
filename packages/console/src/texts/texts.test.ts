import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../', import.meta.url));

/** The attributes whose text somebody sees or hears. */
const visibleAttributes = new Set([
  ...[
    'alt',
    'aria-description',
    'aria-label',
    'aria-roledescription',
    'aria-valuetext',
    'placeholder',
    'title',
  ],
  ...['caption', 'cancelLabel', 'closeButtonLabel', 'confirmLabel', 'description', 'effect', 'empty'],
  ...['errorTitle', 'hint', 'label', 'previousLabel', 'question', 'reason', 'submitLabel'],
]);
/** What is the same in every language: keys, commands, currencies, names of products, and the begin of an address. */
const codeElements = new Set(['kbd', 'code', 'Kbd', 'Code', 'InlineCode']);
const sameEverywhere = /^(Keyfront|[A-Z]{3}|https:\/\/\S*)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

/** Each text that stands in the JSX of a file, with its line. */
function findTexts(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (node: Node, text: string) => {
    const words = text.trim();
    if (!/\p{L}/u.test(words) || sameEverywhere.test(words)) return;
    found.push(`${file}:${source.slice(0, node.start).split('\n').length} ${words}`);
  };
  /** Of a value, or of what is chosen for it. */
  const addValue = (node: Node | null): void => {
    if (!node) return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value);
    if (node.type === 'TemplateLiteral') {
      for (const { value } of node.quasis as { value: { cooked: string } }[]) add(node, value.cooked);
    }
    for (const part of ['expression', 'consequent', 'alternate', 'left', 'right']) {
      if (/^(JSXExpressionContainer|ConditionalExpression|LogicalExpression)$/.test(node.type))
        addValue((node[part] as Node | undefined) ?? null);
    }
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const entry of value) visit(entry);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'JSXElement') {
      const { name } = (node.openingElement as { name: { name?: string } }).name;
      if (name && codeElements.has(name)) return;
    }
    if (node.type === 'JSXText') add(node, String(node.value));
    if (node.type === 'JSXAttribute') {
      const { name } = node.name as { name: string };
      if (visibleAttributes.has(name)) addValue(node.value as Node | null);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, source).program);
  return found;
}

it('finds a text in JSX and in what somebody sees or hears of an attribute', () => {
  const source = `const page = (
    <Panel title="Orders" className="wide" aside={<kbd>Ctrl K</kbd>}>
      {count} orders <code>npm start</code>
      <button type="button" aria-label={isOpen ? 'Close' : texts.open}>{texts.send}</button>
      <input placeholder={\`Up to \${most}\`} />
    </Panel>
  );`;
  expect(findTexts('page.tsx', source)).toEqual([
    'page.tsx:2 Orders',
    'page.tsx:3 orders',
    'page.tsx:4 Close',
    'page.tsx:5 Up to',
  ]);
});

it('has the texts of all pages and components in this folder', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tsx'),
  );
  expect(files.length).toBeGreaterThan(150);
  const texts = files.flatMap((path) =>
    findTexts(relative('', path), readFileSync(join(sources, path), 'utf8')),
  );
  expect(texts).toEqual([]);
});
