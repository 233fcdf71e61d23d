import { runSql } from './run-sql.ts';

/** What the shoppers of a trial use. Nobody else orders these strains or for these clients. */
export interface TrialStore {
  readonly tokenId: number;
  readonly clientIds: readonly string[];
  /** The last one sells out during a trial, so that orders also fail for lack of stock. */
  readonly strains: readonly TrialStrain[];
}

export interface TrialStrain {
  readonly id: string;
  readonly initialStock: number;
}

const stocks = [1_000_000, 1_000_000, 1_000_000, 40];

/** Adds clients and strains for a trial to the store of a digital key. */
export async function createTrialStore(
  ownerUrl: string,
  tokenId: number,
  clientCount: number,
): Promise<TrialStore> {
  const clients = await runSql<{ id: string }>(
    ownerUrl,
    `INSERT INTO keyfront.clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active,
       shipping_address1, shipping_country_code)
     SELECT $1, 'Trial', 'Client', gen_random_uuid() || '@example.org', 'VERIFIED', true, true, 'Rua do Exemplo 1', 'PRT'
     FROM generate_series(1, $2::int) RETURNING id`,
    [tokenId, clientCount],
  );
  // Half of the clients are leads, which become the sales of their first orders.
  await runSql(
    ownerUrl,
    `INSERT INTO keyfront.sales (token_id, client_id, stage)
     SELECT $1, id, 'LEADS' FROM unnest($2::uuid[]) WITH ORDINALITY AS client (id, number) WHERE number % 2 = 0`,
    [tokenId, clients.map(({ id }) => id)],
  );
  const strains = await runSql<TrialStrain>(
    ownerUrl,
    `WITH stocked AS MATERIALIZED (
       SELECT gen_random_uuid() AS id, stock FROM unnest($2::int[]) AS stock
     ), strain AS (
       INSERT INTO keyfront.strains (id, planet_id, name, type, thc, cbd, retail_price, currency)
       SELECT stocked.id, planet_id, 'Trial strain ' || stocked.id, 'HYBRID', 18, 1, 12.50, 'EUR'
       FROM stocked, (SELECT planet_id FROM keyfront.digital_keys WHERE token_id = $1) AS digital_key
     )
     INSERT INTO keyfront.strain_locations (strain_id, country_code, stock_quantity) SELECT id, 'PRT', stock FROM stocked
     RETURNING strain_id AS id, stock_quantity AS "initialStock"`,
    [tokenId, stocks],
  );
  return { tokenId, clientIds: clients.map(({ id }) => id), strains };
}
