import { readFileSync } from 'node:fs';
import { type GuardedApp, startGuardedApp } from './guarded-app.ts';
import type { OpensslKey } from './openssl.ts';
import { runSql } from './test-database.ts';

/** The client whom the programs of the guides order for. */
export const guideClientId = '019a8f3e-7c00-7000-8000-000000000301';

/** A service with the data that the programs of the guides use: two strains, and a client who may order. */
export interface GuideService extends GuardedApp {
  /** Puts one unit into the client's cart, so that there is something to order. */
  fillCart(): Promise<void>;
  /** What the programs read from the environment. */
  variablesFor(key: OpensslKey): Record<'KEYFRONT_URL' | 'KEYFRONT_API_KEY' | 'KEYFRONT_SECRET_KEY', string>;
}

export async function startGuideService(): Promise<GuideService> {
  const service = await startGuardedApp();
  const sql = (text: string, values: unknown[] = []) => runSql(service.ownerUrl, text, values);
  await sql(
    `WITH strain AS (
       INSERT INTO keyfront.strains (planet_id, name, type, thc, cbd, retail_price, currency)
       SELECT planets.id, strain, 'INDICA', 18, 1, 10, 'EUR'
       FROM keyfront.planets, (VALUES ('Lunar Saffron'), ('Lunar Sage')) AS made (strain) RETURNING id
     )
     INSERT INTO keyfront.strain_locations (strain_id, country_code, stock_quantity) SELECT id, 'PRT', 100 FROM strain`,
  );
  await sql(
    `INSERT INTO keyfront.clients (token_id, id, first_name, last_name, email, admin_approval, is_kyc_verified,
       shipping_address1, shipping_country_code)
     VALUES (1, $1, 'Ada', 'Example', 'ada@example.org', 'VERIFIED', true, 'Rua do Exemplo 1', 'PRT')`,
    [guideClientId],
  );
  await sql(`INSERT INTO keyfront.carts (token_id, client_id) VALUES (1, $1)`, [guideClientId]);
  return {
    ...service,
    fillCart: async () => {
      await sql(
        `INSERT INTO keyfront.cart_items (cart_id, strain_id, token_id, quantity)
         SELECT carts.id, strains.id, 1, 1 FROM keyfront.carts, keyfront.strains
         WHERE client_id = $1 AND strains.name = 'Lunar Sage' ON CONFLICT DO NOTHING`,
        [guideClientId],
      );
    },
    variablesFor: (key) => ({
      KEYFRONT_URL: service.base,
      KEYFRONT_API_KEY: key.apiKey,
      KEYFRONT_SECRET_KEY: readFileSync(key.file).toString('base64'),
    }),
  };
}
