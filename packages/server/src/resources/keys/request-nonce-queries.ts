import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';

const deleteExpired = statement<{ count: number }>(
  'nonces.delete-expired',
  `WITH dead AS (
     DELETE FROM request_nonces WHERE (key_id, nonce_hash) IN (
       SELECT key_id, nonce_hash FROM request_nonces WHERE expires_at <= now()
       ORDER BY expires_at LIMIT 10000 FOR UPDATE SKIP LOCKED
     ) RETURNING true
   )
   SELECT count(*) FROM dead`,
);

/** Deletes a batch of nonces whose signatures are not accepted any more, and returns its size. */
export async function deleteExpiredRequestNonces(database: Database): Promise<number> {
  const [row] = await database.query(systemScope, deleteExpired);
  return row?.count ?? 0;
}
