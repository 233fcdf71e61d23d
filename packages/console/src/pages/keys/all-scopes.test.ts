import { operationList, scopesOf } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { allScopes } from './all-scopes.ts';

it('knows the scopes of all operations', () => {
  expect(allScopes).toEqual([...new Set(operationList.flatMap(scopesOf))].sort());
});
