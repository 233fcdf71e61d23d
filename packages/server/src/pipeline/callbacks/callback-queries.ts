import type { Provider } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

const claim = statement<{ isClaimed: boolean }>(
  'callbacks.claim',
  `INSERT INTO provider_messages (provider, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
   RETURNING true AS "isClaimed"`,
);

/**
 * Records a message in the transaction of its change. Returns false if it was accepted before. A concurrent delivery of
 * the same message waits here until the other transaction ends.
 */
export async function claimMessage(
  tx: RunInTransaction,
  provider: Provider,
  messageId: string,
): Promise<boolean> {
  const [row] = await tx(claim, [provider, messageId]);
  return row?.isClaimed ?? false;
}

// Providers repeat a message for some days. After this time its state has moved on, and refuses the message by itself.
const deleteOld = statement<{ count: number }>(
  'callbacks.delete-old',
  `WITH dead AS (
     DELETE FROM provider_messages WHERE (provider, message_id) IN (
       SELECT provider, message_id FROM provider_messages WHERE received_at <= now() - interval '30 days'
       ORDER BY received_at LIMIT 1000 FOR UPDATE SKIP LOCKED
     ) RETURNING true
   )
   SELECT count(*) FROM dead`,
);

/** Deletes a batch of messages that are older than 30 days, and returns its size. */
export async function deleteOldMessageBatch(database: Database): Promise<number> {
  const [row] = await database.query(systemScope, deleteOld);
  return row?.count ?? 0;
}
