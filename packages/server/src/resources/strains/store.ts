import { type PageRequest, pageOffset, type Strain } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

export interface StrainFilter {
  readonly search: string | null;
  readonly countryCode: string | null;
  readonly planet: PlanetReference | null;
}

/** How a caller may name a planet. */
export type PlanetReference =
  | { readonly number: number }
  | { readonly id: string }
  | { readonly name: string };

const columns = `
  strains.id, strains.name, strains.description, strains.type, strains.thc::float8, strains.cbd::float8,
  strains.flavour, strains.feelings, strains.helps_with AS "helpsWith", strains.retail_price AS "retailPrice",
  strains.currency, strains.stock_quantity AS "stockQuantity", strains.is_available AS "isAvailable",
  strains.image_url AS "imageUrl", strains.country_codes AS "countryCodes",
  json_build_object('number', planets.number, 'name', planets.name) AS planet`;

// The count stands beside every row, and alone in a row without a strain where the page is empty: one round trip.
const listPage = statement<Strain & { id: string | null; itemCount: number }>(
  'strains.page',
  `WITH matching AS (
     SELECT ${columns}
     FROM strains JOIN planets ON planets.id = strains.planet_id
     WHERE ($1::text IS NULL OR strains.name ILIKE $1 OR strains.description ILIKE $1)
       AND ($2::text IS NULL OR strains.country_codes @> ARRAY[$2])
       AND ($3::int IS NULL OR planets.number = $3)
       AND ($4::uuid IS NULL OR planets.id = $4)
       AND ($5::text IS NULL OR lower(planets.name) = lower($5))
   )
   SELECT total.count AS "itemCount", page.*
   FROM (SELECT count(*) FROM matching) AS total
   LEFT JOIN (SELECT * FROM matching ORDER BY name, id LIMIT $6 OFFSET $7) AS page ON true
   ORDER BY page.name, page.id`,
);

const findOne = statement<Strain>(
  'strains.find',
  `SELECT ${columns} FROM strains JOIN planets ON planets.id = strains.planet_id WHERE strains.id = $1`,
);

/** One page of the strains that match, by name, and how many match in all. */
export async function listStrains(
  database: Database,
  filter: StrainFilter,
  page: PageRequest,
): Promise<{ strains: Strain[]; itemCount: number }> {
  const { planet } = filter;
  const rows = await database.queryShared(listPage, [
    filter.search === null ? null : containing(filter.search),
    filter.countryCode,
    planet && 'number' in planet ? planet.number : null,
    planet && 'id' in planet ? planet.id : null,
    planet && 'name' in planet ? planet.name : null,
    page.take,
    pageOffset(page),
  ]);
  return { strains: rows.filter((row) => row.id !== null), itemCount: rows[0]?.itemCount ?? 0 };
}

/** The strain, or null when there is none. */
export async function findStrain(database: Database, strainId: string): Promise<Strain | null> {
  const rows = await database.queryShared(findOne, [strainId]);
  return rows[0] ?? null;
}

/** A pattern for text that contains this, taken literally. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
