import { deleteExpiredRows } from '../../database/queries/delete-expired-rows.ts';

/** Deletes the nonces of expired signatures once a minute. */
export const deleteRequestNonces = deleteExpiredRows(
  'request_nonces',
  ['key_id', 'nonce_hash'],
  'The nonces of expired signatures could not be deleted',
);
