import { createHash, createPublicKey } from 'node:crypto';
import { type HolderCredentials, makeUpKey } from './holders.ts';
import { runSql } from './run-sql.ts';
import type { TrialStore } from './trial-store.ts';

/** A holder with a digital key, an API key and one client. */
export interface AddedHolder extends HolderCredentials {
  readonly tokenId: number;
  readonly clientId: string;
}

const firstTokenId = 900_000;

/** Adds holders whose digital keys are of the same planet as that of a store, so that they sell the same strains. */
export async function addHolders(ownerUrl: string, store: TrialStore, count: number): Promise<AddedHolder[]> {
  const holders = Array.from({ length: count }, (_, number) => ({
    ...makeUpKey(),
    tokenId: firstTokenId + number,
  }));
  const clients = await runSql<{ tokenId: number; clientId: string }>(
    ownerUrl,
    `WITH given AS MATERIALIZED (
       SELECT gen_random_uuid() AS holder_id, * FROM unnest($2::int[], $3::text[], $4::bytea[]) AS given (token_id, wallet, public_key)
     ), holder AS (
       INSERT INTO keyfront.holders (id, wallet_address, primary_token_id) SELECT holder_id, wallet, token_id FROM given
     ), digital_key AS (
       INSERT INTO keyfront.digital_keys (token_id, holder_id, planet_id)
       SELECT given.token_id, given.holder_id, planet_id FROM given, keyfront.digital_keys AS other WHERE other.token_id = $1
     ), api_key AS (
       INSERT INTO keyfront.api_keys (holder_id, token_id, key_name, public_key)
       SELECT holder_id, token_id, 'Trial', public_key FROM given
     )
     INSERT INTO keyfront.clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active,
       shipping_address1, shipping_country_code)
     SELECT token_id, 'Trial', 'Client', 'trial@example.org', 'VERIFIED', true, true, 'Rua do Exemplo 1', 'PRT' FROM given
     RETURNING token_id::int AS "tokenId", id AS "clientId"`,
    [
      store.tokenId,
      holders.map(({ tokenId }) => tokenId),
      holders.map(({ apiKey }) => `0x${createHash('sha256').update(apiKey).digest('hex').slice(0, 40)}`),
      holders.map(({ apiKey }) =>
        createPublicKey(Buffer.from(apiKey, 'base64')).export({ type: 'spki', format: 'der' }),
      ),
    ],
  );
  return holders.map((holder) => {
    const { clientId = '' } = clients.find(({ tokenId }) => tokenId === holder.tokenId) ?? {};
    return { ...holder, clientId };
  });
}
