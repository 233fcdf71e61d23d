import type { CallOptions } from '../call-options.ts';
import { operations } from '../generated/operations.ts';
import { GeneratedEventsResource } from '../generated/resources.ts';
import type { EventListQuery, EventStreamQuery } from '../generated/types.ts';
import type { KeyfrontEvent, KeyfrontEventPage } from './keyfront-event.ts';

/** Options of `events.stream`. */
export interface EventStreamOptions extends CallOptions {
  /**
   * Called with the position of the stream when it begins, and from time to time while no event comes. Pass it as
   * `after` to continue there, as with the id of an event.
   */
  readonly onPosition?: (id: string) => void | Promise<void>;
}

/** What has happened, in the order in which it happened. */
export class EventsResource extends GeneratedEventsResource {
  /**
   * List events, oldest first. To read on, pass `nextAfter` as `after`. With `orderBy: 'desc'` the newest come first; to read
   * on, pass `nextBefore` as `before`.
   *
   * `GET /events`
   */
  list(query: EventListQuery = {}, options?: CallOptions): Promise<KeyfrontEventPage> {
    return this.client.call(operations.listEvents, { query }, options);
  }

  /**
   * Get an event.
   *
   * `GET /events/{eventId}`
   */
  get(eventId: string, options?: CallOptions): Promise<KeyfrontEvent> {
    return this.client.call(operations.getEvent, { parameters: [eventId] }, options);
  }

  /**
   * Stream events as they happen, with `for await`. The stream connects again after every interruption and continues after the last
   * event, so that none is missed and none comes twice. It ends only with an error that no further attempt can mend, when the signal
   * is aborted, or when the loop is left. To continue in another process, pass the id of the last event as `after`.
   *
   * `GET /events/stream`
   */
  async *stream(
    query: EventStreamQuery = {},
    { onPosition, ...options }: EventStreamOptions = {},
  ): AsyncGenerator<KeyfrontEvent, void, undefined> {
    for await (const { id, data } of this.client.follow(operations.streamEvents, { query }, options)) {
      if (data !== '') yield JSON.parse(data) as KeyfrontEvent;
      else await onPosition?.(id);
    }
  }
}
