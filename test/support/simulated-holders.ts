import { randomUUID } from 'node:crypto';
import { findWrongCounters } from '../../faults/src/load/find-wrong-counters.ts';
import { insertOrder } from './order-data.ts';
import type { Storefront } from './storefront.ts';
import { insertCart, insertClient } from './storefront-data.ts';

type Sql = Storefront['sql'];

/** Holders of one simulation, who use their digital keys while the chain goes on. */
export class SimulatedHolders {
  readonly #sql: Sql;
  readonly #random: (below: number) => number;
  readonly #firstToken: number;
  readonly #strainId: string;

  constructor(sql: Sql, random: (below: number) => number, firstToken: number, strainId: string) {
    this.#sql = sql;
    this.#random = random;
    this.#firstToken = firstToken;
    this.#strainId = strainId;
  }

  /** One of the digital keys that the service knows is used by its owner; nothing happens where there is none. */
  async act(): Promise<void> {
    const tokens = await this.#sql<{ tokenId: string; holderId: string; wallet: string }>(
      `SELECT token_id AS "tokenId", holder_id AS "holderId", wallet_address AS wallet
       FROM digital_keys JOIN holders ON holders.id = holder_id
       WHERE token_id BETWEEN $1 AND $1 + 999 AND wallet_address !~ '^0x0{40}$' ORDER BY token_id`,
      [this.#firstToken],
    );
    const token = tokens[this.#random(Math.max(1, tokens.length))];
    if (!token) return;
    const tokenId = Number(token.tokenId);
    const { holderId, wallet } = token;
    switch (this.#random(9)) {
      case 0:
        await this.#client(tokenId);
        break;
      case 1: {
        const items = [{ strainId: this.#strainId, quantity: 1 }];
        await insertCart(this.#sql, tokenId, await this.#newClient(tokenId), items);
        break;
      }
      case 2: {
        const order = await insertOrder(this.#sql, tokenId, await this.#client(tokenId));
        await this.#sql(`UPDATE orders SET order_status = 'PROCESSING' WHERE id = $1`, [order]);
        break;
      }
      case 3: {
        const client = await this.#client(tokenId);
        await this.#sql('INSERT INTO sales (token_id, client_id) VALUES ($1, $2)', [tokenId, client]);
        break;
      }
      case 4:
        await this.#sql(`UPDATE sales SET stage = 'ONGOING' WHERE token_id = $1 AND client_id IS NULL`, [
          tokenId,
        ]);
        break;
      case 5:
        await this.#sql(
          `INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
           VALUES ($1, $2, 'holder', decode(md5($3), 'hex'))`,
          [holderId, tokenId, randomUUID()],
        );
        break;
      case 6:
        // The seller of a sale that the simulation watches makes no other: it would keep the watched one closed.
        await this.#sql(
          `INSERT INTO nft_sales (token_id, seller_id, price, currency, expires_at)
           SELECT $1::bigint, $2::uuid, 1, 'ETH', now() + interval '1 day'
           WHERE NOT EXISTS (SELECT FROM nft_sales WHERE token_id = $1 AND seller_id = $2)
           ON CONFLICT (token_id) WHERE state IN ('DRAFT', 'LISTED') DO NOTHING`,
          [tokenId, holderId],
        );
        break;
      case 7:
        await this.#sql('UPDATE holders SET primary_token_id = $2 WHERE id = $1', [holderId, tokenId]);
        break;
      case 8:
        // For the jobs that remove what has expired.
        await this.#sql(
          `INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type, expires_at)
           VALUES (sha256($1::text::bytea), $2, 'dapp', now() - interval '1 minute')`,
          [randomUUID(), wallet],
        );
        await this.#sql(
          `INSERT INTO idempotency_keys (credential, key_hash, wallet_address, request_hash, status_code, body, expires_at)
           VALUES ('jwt', sha256($1::text::bytea), $2, sha256('x'), 201, 'x', now() - interval '1 minute')`,
          [randomUUID(), wallet],
        );
        break;
    }
  }

  /** The first client of the digital key, made where there is none. */
  async #client(tokenId: number): Promise<string> {
    const [found] = await this.#sql<{ id: string }>('SELECT id FROM clients WHERE token_id = $1 LIMIT 1', [
      tokenId,
    ]);
    return found?.id ?? this.#newClient(tokenId);
  }

  async #newClient(tokenId: number): Promise<string> {
    return (await insertClient(this.#sql, tokenId)).id;
  }
}

/** Digital keys of the simulation whose counters, keys, offers or owners contradict the tables, with what is wrong. */
export async function findContradictions(sql: Sql, firstToken: number): Promise<{ problem: string }[]> {
  const others = await sql<{ problem: string }>(
    `SELECT format('a key of %s lives and its holder is not the owner', api_keys.token_id) AS problem
     FROM api_keys JOIN digital_keys USING (token_id)
     WHERE token_id BETWEEN $1 AND $1 + 999 AND revoked_at IS NULL AND api_keys.holder_id <> digital_keys.holder_id
     UNION ALL SELECT format('an offer of %s is open and its seller is not the owner', nft_sales.token_id)
     FROM nft_sales JOIN digital_keys USING (token_id)
     WHERE token_id BETWEEN $1 AND $1 + 999 AND state IN ('DRAFT', 'LISTED') AND seller_id <> holder_id
     UNION ALL SELECT format('%s belongs to nobody and nobody has used it', token_id)
     FROM digital_keys JOIN holders ON holders.id = holder_id
     WHERE token_id BETWEEN $1 AND $1 + 999 AND wallet_address ~ '^0x0{40}$'
       AND NOT EXISTS (SELECT FROM clients WHERE clients.token_id = digital_keys.token_id)
       AND NOT EXISTS (SELECT FROM api_keys WHERE api_keys.token_id = digital_keys.token_id)
       AND NOT EXISTS (SELECT FROM nft_sales WHERE nft_sales.token_id = digital_keys.token_id)
       AND NOT EXISTS (SELECT FROM sales WHERE sales.token_id = digital_keys.token_id AND stage <> 'LEADS')`,
    [firstToken],
  );
  return [...(await findWrongCounters(sql, firstToken, firstToken + 999)), ...others];
}
