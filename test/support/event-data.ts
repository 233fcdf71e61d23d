import type { Event, EventPage } from '@keyfront/protocol';
import { dataOf, type TestCaller } from './storefront.ts';
import { until } from './until.ts';

/**
 * Follows the events of a caller: each call returns those since the last one, and waits until one of them is as wanted. Events become
 * readable a moment after their commit, when no transaction that has an earlier event is running.
 */
export function followEvents(caller: TestCaller, filter = '') {
  let after: string | null = null;
  const readOn = async (): Promise<Event[]> => {
    const found: Event[] = [];
    for (let hasMore = true; hasMore; ) {
      const query = new URLSearchParams({
        take: '1000',
        ...(after && { after }),
        ...(filter && { type: filter }),
      });
      const page: EventPage = dataOf(await caller.ask('GET', `/events?${query}`));
      found.push(...page.events);
      after = page.nextAfter;
      hasMore = page.hasMore;
    }
    return found;
  };
  return {
    readOn,
    /** Reads on until there are events of all of these types, and returns everything read. */
    waitFor: async (...types: string[]): Promise<Event[]> => {
      const found: Event[] = [];
      return until(
        async () => {
          found.push(...(await readOn()));
          return found;
        },
        (events) => types.every((type) => events.some((event) => event.type === type)),
      );
    },
  };
}
