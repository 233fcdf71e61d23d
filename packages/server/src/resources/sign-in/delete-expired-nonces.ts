import { deleteExpiredRows } from '../../database/queries/delete-expired-rows.ts';

/** Deletes expired nonces once a minute. */
export const deleteExpiredNonces = deleteExpiredRows(
  'sign_in_nonces',
  ['nonce_hash'],
  'Expired nonces could not be deleted',
);
