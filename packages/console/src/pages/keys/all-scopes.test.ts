import { operationList, scopeOf } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { allScopes } from './all-scopes.ts';

it('knows the scopes of all operations', () => {
  const scopes = operationList.map(scopeOf).filter((scope) => scope !== null);
  expect(allScopes).toEqual([...new Set(scopes)].sort());
});
