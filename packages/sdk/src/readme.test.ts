import { readFileSync } from 'node:fs';
import { operationList } from '@keyfront/protocol';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the README lists all methods by their groups', () => {
  const groups = new Map<string, string[]>();
  for (const { sdk } of operationList) {
    if (sdk === undefined) continue;
    const words = sdk.split('.');
    const group = words.slice(0, -1).join('.');
    groups.set(group, [...(groups.get(group) ?? []), words.at(-1) ?? '']);
  }
  const rows = [...groups].map(
    ([group, methods]) => `| \`${group}\` | ${methods.map((method) => `\`${method}\``).join(', ')} |`,
  );
  const [, table = ''] =
    readme.match(/## Operations\n\n\| Group \| Methods \|\n\|---\|---\|\n((?:\|.*\n)+)/) ?? [];
  expect(table.trimEnd().split('\n').sort()).toEqual(rows.sort());
});
