import { expect, it } from 'vitest';
import { readDocument, readQuickstartPrograms } from './support/guide-programs.ts';

const guide = readDocument('docs/guides/quickstart.md');
const programs = readQuickstartPrograms(guide);

it('each program of the quickstart names its file', () => {
  expect(programs.map(([name]) => name)).toEqual([
    ...['shop.mjs', 'catalogue.mjs', 'client.mjs', 'order.mjs', 'events.mjs'],
  ]);
  expect(guide.match(/^```js$/gm)).toHaveLength(programs.length);
});
