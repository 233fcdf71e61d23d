import { runSql } from './test-database.ts';

/** Three planets and twenty-five strains, made so that every filter has something to leave out. */
export async function insertCatalogue(ownerUrl: string): Promise<void> {
  await runSql(
    ownerUrl,
    `SET search_path = keyfront;
     INSERT INTO planets (number, name, description, image_url) VALUES
       (3, 'Cinder', 'The third', NULL), (1, 'Verdane', 'The first', 'https://images.example/1.png'),
       (2, 'Low Tide', 'The second', NULL);
     INSERT INTO strains (planet_id, name, description, type, thc, cbd, flavour, feelings, helps_with, retail_price,
         currency)
       SELECT planets.id, 'Strain ' || to_char(n, 'FM00'),
         CASE WHEN n = 5 THEN 'half_price and 50% more' ELSE 'number ' || n END,
         'HYBRID', 18.5, 0.25, 'citrus, pine', 'calm', 'sleep', 9.5 + n, 'EUR'
       FROM generate_series(1, 25) AS n JOIN planets ON planets.number = 1 + n % 3;
     INSERT INTO strain_locations (strain_id, country_code, stock_quantity)
       SELECT id, country, 10 * right(name, 2)::int FROM strains, unnest('{DEU,PRT}'::text[]) AS country
       WHERE country = 'PRT' OR right(name, 2)::int % 5 = 0`,
  );
}
