import { statement } from '@keyfront/postgres';

const setting = 'keyfront.event_horizon';

/**
 * Reads the number below which all events are complete. It is a statement of its own, because only a statement that begins afterwards sees
 * all of these events: one that found the number itself would have a snapshot from before.
 */
export const readEventHorizon = statement<never>(
  'events.read-horizon',
  `SELECT WHERE set_config('${setting}', find_event_horizon()::text, true) IS NULL`,
);

/** The number that `readEventHorizon` has found, for a statement that it precedes (`precededBy`). */
export const eventHorizon = `current_setting('${setting}')::bigint`;
