import { defineOperations } from '../operation.ts';
import { Event, EventListQuery, EventPage, EventPath, EventStreamQuery } from '../schemas/events.ts';
import { createdAt, ids, nft, orderWithLines } from './examples.ts';

const event = {
  id: ids.event,
  type: 'order.approved',
  createdAt,
  tokenId: nft.tokenId,
  data: { ...orderWithLines, adminApproval: 'VERIFIED' },
  changes: { adminApproval: { from: 'PENDING', to: 'VERIFIED' } },
};

export const eventOperations = defineOperations({
  listEvents: {
    method: 'GET',
    path: '/events',
    access: 'credential',
    tag: 'Events',
    sdk: 'events.list',
    summary: 'List events',
    description:
      'Lists the events of the digital key and of the catalogue, oldest first. To read on, pass `nextAfter` as `after`: no event is ' +
      'left out, and none comes twice. With `orderBy=desc` the newest come first; to read on, pass `nextBefore` as `before`. ' +
      'Events are kept for 30 days, unless the operator has changed that.',
    status: 200,
    retry: 'safe',
    query: EventListQuery,
    response: EventPage,
    errors: ['HOLDER_REQUIRED', 'EVENTS_EXPIRED', 'EVENT_POSITION_UNKNOWN'],
    // The rows of the log, the resources that they are about, and the end of the transaction.
    roundTrips: 3,
    example: {
      query: { type: 'order.*' },
      response: { events: [event], hasMore: false, nextAfter: event.id },
    },
  },

  streamEvents: {
    method: 'GET',
    path: '/events/stream',
    access: 'credential',
    tag: 'Events',
    sdk: 'events.stream',
    summary: 'Stream events',
    description:
      'Sends events as they happen, as Server-Sent Events. Each has its id. A client that connects again with its last id in ' +
      '`Last-Event-ID` gets every event after it, and none twice. A comment comes at least every 15 seconds. The stream ends when the ' +
      'client reads too slowly, when its credential is no longer valid, after an hour, and when the service shuts down: connect again. ' +
      'With `Accept: application/json` the response is one page of events, as `GET /events` returns it: without `after`, it begins with ' +
      'the oldest event.',
    status: 200,
    retry: 'safe',
    query: EventStreamQuery,
    response: EventPage,
    stream: {
      contentType: 'text/event-stream',
      description: 'Each event is `id:` with its id and `data:` with the event as JSON in one line',
    },
    errors: ['HOLDER_REQUIRED', 'EVENTS_EXPIRED', 'EVENT_POSITION_UNKNOWN'],
    roundTrips: 3,
    example: {
      query: { type: 'order.*' },
      response: { events: [event], hasMore: false, nextAfter: event.id },
    },
  },

  getEvent: {
    method: 'GET',
    path: '/events/{eventId}',
    access: 'credential',
    tag: 'Events',
    sdk: 'events.get',
    summary: 'Get an event',
    status: 200,
    retry: 'safe',
    parameters: EventPath,
    response: Event,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    roundTrips: 2,
    example: { parameters: { eventId: event.id }, response: event },
  },
});
