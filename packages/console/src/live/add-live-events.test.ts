import type { KeyfrontEvent } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { addLiveEvents } from './add-live-events.ts';

const events = (...ids: string[]) => ids.map((id) => ({ id }) as KeyfrontEvent);

it.each([
  [
    ['4', '3'],
    ['2', '1'],
    ['4', '3', '2', '1'],
  ],
  // The list was loaded after some of them had come.
  [
    ['4', '3', '2'],
    ['3', '2', '1'],
    ['4', '3', '2', '1'],
  ],
  // More have come than a page of the list has. The next page has the others.
  [
    ['4', '3', '2', '1'],
    ['4', '3'],
    ['4', '3'],
  ],
  [['2', '1'], [], ['2', '1']],
  [[], ['1'], ['1']],
])('adds %j to %j', (live, loaded, all) => {
  expect(addLiveEvents(events(...live), events(...loaded))).toEqual(events(...all));
});
