import { statement } from '@keyfront/postgres';
import type { CallerScope } from '../../auth/guard.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** Identifies a stored response: the credential and the hash of its `Idempotency-Key`. */
export interface ResponseId {
  readonly credential: string;
  readonly keyHash: Buffer;
}

export interface StoredResponse {
  readonly requestHash: Buffer;
  readonly statusCode: number;
  /** Encrypted. Empty if the response was erased. */
  readonly body: Buffer;
}

export interface NewResponse extends StoredResponse {
  /** What the response has personal data of. */
  readonly subjectId: string | null;
}

/** Whether the response was erased with its client. The key stays used, so that the request is not executed again. */
export const isErased = ({ body }: StoredResponse): boolean => body.length === 0;

// The lock ends with the transaction, so a process that dies leaves nothing to clean up.
const claim = statement<
  { isClaimed: boolean } & { [Field in keyof StoredResponse]: StoredResponse[Field] | null }
>(
  'idempotency.claim',
  `SELECT member, is_claimed AS "isClaimed", request_hash AS "requestHash", status_code AS "statusCode", body
   FROM claim_idempotency_keys($1, $2)`,
  { indexScansOnly: true, merges: 'reads' },
);

/** Returns the stored response. If there is none: whether this transaction now holds the key until its end. */
export async function claimKey(
  tx: RunInTransaction,
  { credential, keyHash }: ResponseId,
): Promise<StoredResponse | boolean> {
  const [row] = await tx(claim, [[credential], [keyHash]]);
  if (!row) return false;
  const { isClaimed, requestHash, statusCode, body } = row;
  return requestHash && statusCode !== null && body ? { requestHash, statusCode, body } : isClaimed;
}

// A conflicting row has expired: `claimKey` would have found a valid one.
const store = statement(
  'idempotency.store',
  `INSERT INTO idempotency_keys (credential, key_hash, wallet_address, token_id, request_hash, status_code, body, subject_id)
   SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[], $7::bytea[], $8::uuid[])
   ON CONFLICT (credential, key_hash) DO UPDATE SET wallet_address = excluded.wallet_address, token_id = excluded.token_id,
     request_hash = excluded.request_hash, status_code = excluded.status_code, body = excluded.body,
     subject_id = excluded.subject_id, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  { merges: 'writes' },
);

/** Stores a response in the transaction of its request. */
export function storeResponse(
  tx: RunInTransaction,
  id: ResponseId,
  scope: CallerScope,
  { requestHash, statusCode, body, subjectId }: NewResponse,
): void {
  tx.atCommit(store, [
    ...[
      [id.credential],
      [id.keyHash],
      [scope.walletAddress],
      [scope.role === 'holder' ? scope.tokenId : null],
    ],
    ...[[requestHash], [statusCode], [body], [subjectId]],
  ]);
}

/**
 * Makes a statement that erases what is stored about the subjects that a query finds. The hash of the request goes too: it would confirm a
 * guess of what the request has said.
 */
export const eraseStoredResponses = (name: string, subjects: string) =>
  statement(
    name,
    `UPDATE idempotency_keys SET body = '', request_hash = decode(repeat('00', 32), 'hex') WHERE subject_id IN (${subjects})`,
    { indexScansOnly: true },
  );
