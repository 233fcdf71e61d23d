import { eventOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-binder.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { type EventLog, getEvent, getEventPage } from './event-rules.ts';

export function bindEvents(binder: OperationBinder, database: Database, log: EventLog): void {
  binder.bind(eventOperations.listEvents, ({ scope, query }) =>
    getEventPage(database, requireHolder(scope), query, log),
  );
  binder.bind(eventOperations.getEvent, ({ scope, parameters }) =>
    getEvent(database, requireHolder(scope), parameters.eventId, log),
  );
}
