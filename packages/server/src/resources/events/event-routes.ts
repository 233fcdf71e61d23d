import { eventOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { getEvent, getEventPage } from './event-rules.ts';
import { type StreamParts, streamEvents } from './stream-events.ts';

export function bindEvents(binder: OperationBinder, database: Database, parts: StreamParts): void {
  binder.bind(eventOperations.listEvents, ({ scope, query }) =>
    getEventPage(database, requireHolder(scope), query, parts),
  );
  binder.bind(
    eventOperations.streamEvents,
    ({ scope, query }) => getEventPage(database, requireHolder(scope), query, parts),
    {
      stream: ({ scope, ...call }) => streamEvents(database, { ...call, scope: requireHolder(scope) }, parts),
    },
  );
  binder.bind(eventOperations.getEvent, ({ scope, parameters }) =>
    getEvent(database, requireHolder(scope), parameters.eventId, parts),
  );
}
