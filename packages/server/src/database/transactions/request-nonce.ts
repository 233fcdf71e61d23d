import { findViolatedConstraint, findViolatedIndex, statement } from '@keyfront/postgres';
import type { RunInTransaction } from './transaction.ts';

const primaryKey = 'request_nonces_pkey';

/** See the trigger of the table: the database keeps no nonce that has expired by its clock. */
const notExpired = 'request_nonces_not_expired';

/** The nonce of the request was used before: somebody repeats the request. */
export class NonceRepeated extends Error {
  override name = 'NonceRepeated';
}

/** The nonce has expired by the clock of the database, so that nobody knows whether it was used before. */
export class NonceExpired extends Error {
  override name = 'NonceExpired';
}

export interface NonceValues {
  readonly keyId: string;
  readonly holderId: string;
  /** SHA-256 of the nonce. */
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

// No conflict clause: a repeated nonce must fail the whole transaction. A concurrent request with the same nonce waits here.
const insert = statement<never>(
  'nonces.insert',
  `INSERT INTO request_nonces (key_id, nonce_hash, holder_id, expires_at)
   SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::timestamptz[])`,
  { merges: 'writes' },
);

/**
 * The nonce of one request that changes something. The first transaction of the request stores it, so it is stored exactly if
 * the change is. If that transaction fails, the next one of the request stores it.
 */
export class RequestNonce {
  readonly #values: NonceValues;
  #state: 'free' | 'taken' | 'stored' = 'free';

  constructor(values: NonceValues) {
    this.#values = values;
  }

  /** Whether no transaction has stored the nonce, and none is about to. */
  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** Runs a transaction that stores the nonce before anything else. Throws `NonceRepeated` if it was stored by another request. */
  async storeIn<Result>(
    work: (tx: RunInTransaction) => Promise<Result>,
    runTransaction: (storing: (tx: RunInTransaction) => Promise<Result>) => Promise<Result>,
  ): Promise<Result> {
    this.#state = 'taken';
    try {
      const result = await runTransaction((tx) => {
        // Sent together with the first statement of the work. If it fails, PostgreSQL refuses the rest, and the transaction
        // throws this error.
        tx(insert, this.#row).catch(() => undefined);
        return work(tx);
      });
      this.#state = 'stored';
      return result;
    } catch (error) {
      this.#state = 'free';
      throw toNonceError(error);
    }
  }

  /** Stores the nonce at the commit of a transaction that several requests share, unless it is stored already. */
  storeAtCommit(tx: RunInTransaction): void {
    if (!this.isFree) return;
    this.#state = 'taken';
    tx.atCommit(insert, this.#row);
  }

  /** Ends what `storeAtCommit` has begun. */
  endShared(isCommitted: boolean): void {
    if (this.#state === 'taken') this.#state = isCommitted ? 'stored' : 'free';
  }

  /** Arrays, because the statement merges. */
  get #row(): unknown[] {
    const { keyId, hash, holderId, expiresAt } = this.#values;
    return [[keyId], [hash], [holderId], [expiresAt]];
  }
}

function toNonceError(error: unknown): unknown {
  if (findViolatedIndex(error) === primaryKey) return new NonceRepeated();
  return findViolatedConstraint(error) === notExpired ? new NonceExpired() : error;
}
