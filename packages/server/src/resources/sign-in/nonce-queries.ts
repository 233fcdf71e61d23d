import { createHash } from 'node:crypto';
import { query } from '../../database/queries/query.ts';

/** A nonce with the wallet, type and domain it is bound to. */
export interface BoundNonce {
  readonly nonce: string;
  /** In lower case. */
  readonly walletAddress: string;
  readonly type: string;
  /** Null: that of the service itself. */
  readonly domain: string | null;
}

const isValid = `nonce_hash = $1 AND wallet_address = $2 AND type = $3 AND domain IS NOT DISTINCT FROM $4
  AND expires_at > now()`;

/** Stores a nonce for five minutes, by the clock of the database. */
export const insertNonce = query<{ createdAt: string; expiresAt: string }>(
  'sign-in.insert-nonce',
  `INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type, domain, email) VALUES ($1, $2, $3, $4, $5)
   RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
).getAsSystem(({ email, ...nonce }: BoundNonce & { readonly email: string | null }) => [
  ...toKeyValues(nonce),
  email,
]);

/** Whether the nonce is valid for this wallet, type and domain. Does not consume it. */
export const isNonceValid = query<object>(
  'sign-in.find-nonce',
  `SELECT FROM sign_in_nonces WHERE ${isValid}`,
  {
    indexScansOnly: true,
  },
).hasAsSystem((nonce: BoundNonce) => toKeyValues(nonce));

/** Consumes the nonce. Of concurrent callers, one gets the stored e-mail; the others get null. */
export const consumeNonce = query<{ email: string | null; expiresAt: string }>(
  'sign-in.consume-nonce',
  `DELETE FROM sign_in_nonces WHERE ${isValid} RETURNING email, expires_at AS "expiresAt"`,
  { indexScansOnly: true },
).find((nonce: BoundNonce) => toKeyValues(nonce));

function toKeyValues({ nonce, walletAddress, type, domain }: BoundNonce): unknown[] {
  return [hash(nonce), walletAddress, type, domain];
}

function hash(nonce: string): Buffer {
  return createHash('sha256').update(nonce).digest();
}
