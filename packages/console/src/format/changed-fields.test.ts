import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

it('leaves out what is the same, also in lists', () => {
  const stored = { url: 'a', types: ['x', 'y'], description: null as string | null, id: 1 };
  const { id: _id, ...same } = stored;
  expect(changedFields<Partial<typeof stored>>(stored, same)).toEqual({});
  expect(changedFields<Partial<typeof stored>>(stored, { ...same, types: ['y', 'x'] })).toEqual({
    types: ['y', 'x'],
  });
  expect(changedFields<Partial<typeof stored>>(stored, { url: 'b', description: '' })).toEqual({
    url: 'b',
    description: '',
  });
});
