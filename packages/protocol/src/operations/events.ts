import { defineOperations } from '../operation.ts';
import { Event, EventListQuery, EventPage, EventPath } from '../schemas/events.ts';
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
      'left out, and none comes twice. Events are kept for 30 days, unless the operator has changed that.',
    status: 200,
    retry: 'safe',
    query: EventListQuery,
    response: EventPage,
    errors: ['HOLDER_REQUIRED', 'EVENTS_EXPIRED'],
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
    example: { parameters: { eventId: event.id }, response: event },
  },
});
