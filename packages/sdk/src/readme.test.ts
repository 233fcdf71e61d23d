import { readFileSync } from 'node:fs';
import { operationList } from '@keyfront/protocol';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the README lists all groups of methods', () => {
  const groups = operationList.flatMap(({ sdk }) => sdk?.replace(/\.\w+$/, '') ?? []);
  const [, table = ''] = readme.match(/\| For \| Groups \|\n((?:\|.*\n)+)/) ?? [];
  const listed = [...table.matchAll(/`([\w.]+)`/g)].map(([, group = '']) => group);
  expect(new Set(listed)).toEqual(new Set(groups));
});
