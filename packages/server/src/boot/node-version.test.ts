import { expect, it } from 'vitest';
import { findEndOfLifeNotice } from './node-version.ts';

it.each(['22.12.0', '24.21.0', '26.0.0', '200.0.0'])('says nothing about Node.js %s', (version) => {
  expect(findEndOfLifeNotice(version)).toBeNull();
});

it('says that Node.js 20 has reached its end of life, and what to use instead', () => {
  expect(findEndOfLifeNotice('20.20.2')).toBe(
    'version 20.20.2 reached its end of life in April 2026: please use 24',
  );
});
