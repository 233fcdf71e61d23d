import { statement } from '@keyfront/postgres';
import type { Provider } from '@keyfront/protocol';
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
