import { eventOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getEvent, getEventPage } from './event-rules.ts';
import { type StreamDependencies, streamEvents } from './stream-events.ts';

export function addEventRoutes(
  router: OperationRouter,
  database: Database,
  dependencies: StreamDependencies,
): void {
  router.add(eventOperations.listEvents, ({ scope, query }) =>
    getEventPage(database, scope, query, dependencies),
  );
  router.add(
    eventOperations.streamEvents,
    ({ scope, query }) => getEventPage(database, scope, query, dependencies),
    {
      stream: (call) => streamEvents(database, call, dependencies),
    },
  );
  router.add(eventOperations.getEvent, ({ scope, parameters }) =>
    getEvent(database, scope, parameters.eventId, dependencies),
  );
}
