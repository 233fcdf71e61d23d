import { deleteAllExpiredNonces } from '../resources/sign-in/nonces.ts';
import type { DatabaseJob } from './database-job.ts';

/** Deletes expired nonces once a minute. */
export const deleteExpiredNonces: DatabaseJob = {
  everyMs: 60_000,
  failureMessage: 'Expired nonces could not be deleted',
  work: deleteAllExpiredNonces,
};
