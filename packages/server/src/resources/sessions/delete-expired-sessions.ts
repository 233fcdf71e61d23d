import { deleteExpiredRows } from '../../database/queries/delete-expired-rows.ts';

/** Deletes sessions that are over once a minute. */
export const deleteExpiredSessions = deleteExpiredRows(
  'sessions',
  ['id'],
  'Expired sessions could not be deleted',
);
