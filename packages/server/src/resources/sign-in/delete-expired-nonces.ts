import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { deleteAllExpiredNonces } from './nonces.ts';

/** Deletes expired nonces once a minute. */
export const deleteExpiredNonces: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Expired nonces could not be deleted',
  work: deleteAllExpiredNonces,
};
