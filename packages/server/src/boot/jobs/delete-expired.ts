import { deleteExpiredRows } from '../../database/queries/delete-expired-rows.ts';

export const deleteExpiredNonces = deleteExpiredRows({
  table: 'sign_in_nonces',
  primaryKey: ['nonce_hash'],
  failureMessage: 'Expired nonces could not be deleted',
});

export const deleteExpiredSessions = deleteExpiredRows({
  table: 'sessions',
  primaryKey: ['id'],
  failureMessage: 'Expired sessions could not be deleted',
});

/** The nonces of expired signatures. */
export const deleteRequestNonces = deleteExpiredRows({
  table: 'request_nonces',
  primaryKey: ['key_id', 'nonce_hash'],
  failureMessage: 'The nonces of expired signatures could not be deleted',
});

/** The stored responses of idempotent requests. */
export const deleteExpiredResponses = deleteExpiredRows({
  table: 'idempotency_keys',
  primaryKey: ['credential', 'key_hash'],
  failureMessage: 'Expired responses could not be deleted',
});

/**
 * The ids of callbacks. Providers repeat a message for some days. After a month the state of what it is about has moved on, and refuses
 * the message by itself.
 */
export const deleteOldMessages = deleteExpiredRows({
  table: 'provider_messages',
  primaryKey: ['provider', 'message_id'],
  column: 'received_at',
  keptFor: '30 days',
  everyMs: 60 * 60_000,
  failureMessage: 'The ids of old callbacks could not be deleted',
});
