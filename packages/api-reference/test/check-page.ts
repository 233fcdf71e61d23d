import { expect } from 'vitest';

const voidElements = new Set(['meta', 'wbr', 'br', 'hr', 'link', 'input']);
const tag = /<(\/?)([a-z][a-z0-9]*)(?:\s+[a-z-]+(?:="[^"<>]*")?)*>/gi;

/** Expects elements that are closed in order, ids that are unique, and no `<` outside of tags. */
export function expectWellFormed(page: string): void {
  const body = page.replace('<!doctype html>', '');
  const open: string[] = [];
  const misnested: string[] = [];
  for (const [, slash, name = ''] of body.matchAll(tag)) {
    if (voidElements.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) misnested.push(name);
  }
  expect([...misnested, ...open]).toEqual([]);
  expect(body.replaceAll(tag, '')).not.toContain('<');
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toEqual([...new Set(ids)]);
}

/** Expects that the page loads its own assets only, and that a strict content security policy lets everything run. */
export function expectStrict(page: string): void {
  expect(page).not.toMatch(/<(img|iframe|object|embed|form|base|style)\b/i);
  const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  for (const url of loaded)
    expect(url).toMatch(/^(\.\.\/)*docs(\/assets\/[0-9a-f]{16}\/[a-z-]+\.(css|js|svg)|(\/[^/]+)*\.md)$/);
  expect(page.match(/<script\b[^>]*>/g)).toEqual([expect.stringContaining(' src="')]);
  expect(page).toContain('></script>');
  const withoutValues = page.replaceAll(/="[^"]*"/g, '=""');
  expect(withoutValues).not.toMatch(/<[^>]*\s(style|on\w+)=/i);
}

/** Expects one h1, and that no level is skipped on the way down. */
export function expectHeadingsInOrder(page: string): void {
  const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  let previous = 0;
  for (const level of levels) {
    expect(level).toBeLessThanOrEqual(previous + 1);
    previous = level;
  }
}
