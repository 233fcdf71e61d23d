import { type PageRequest, pageOffset, type Strain } from '@keyfront/protocol';
import { formatCents, toCents } from '../../amounts.ts';
import type { Database } from '../../database/database.ts';
import { likePattern } from '../../database/like-pattern.ts';
import { type PageRow, readPage } from '../../database/page-rows.ts';
import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { findViolatedIndex } from '../../database/unique-violation.ts';
import { type PlanetReference, toPlanetValues } from '../planets/planet-reference.ts';

export interface StrainFilter {
  readonly search: string | null;
  readonly countryCode: string | null;
  readonly planet: PlanetReference | null;
}

const columns = `
  strains.id, strains.name, strains.description, strains.type, strains.thc::float8, strains.cbd::float8,
  strains.flavour, strains.feelings, strains.helps_with AS "helpsWith", strains.retail_price AS "retailPrice",
  strains.currency, strains.stock_quantity AS "stockQuantity", strains.is_available AS "isAvailable",
  strains.image_url AS "imageUrl", strains.country_codes AS "countryCodes",
  json_build_object('number', planets.number, 'name', planets.name) AS planet`;

// Every row carries the count. If the page is empty, one row holds the count and no strain. This saves a round trip.
const listPage = statement<PageRow<Strain>>(
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

/** Lists one page of matching strains by name, with the total count. */
export async function listStrains(
  database: Database,
  filter: StrainFilter,
  page: PageRequest,
): Promise<{ strains: Strain[]; itemCount: number }> {
  const rows = await database.queryShared(listPage, [
    filter.search === null ? null : likePattern(filter.search),
    filter.countryCode,
    ...toPlanetValues(filter.planet),
    page.take,
    pageOffset(page),
  ]);
  const { items: strains, itemCount } = readPage(rows);
  return { strains, itemCount };
}

/** Finds a strain. */
export async function findStrain(database: Database, strainId: string): Promise<Strain | null> {
  const rows = await database.queryShared(findOne, [strainId]);
  return rows[0] ?? null;
}

// Does not join the planet: while the lock waits, the strain may move to another planet.
const lock = statement('strains.lock', 'SELECT FROM strains WHERE id = $1 FOR NO KEY UPDATE');

/** Locks a strain and its stock until the transaction ends. Returns null if it does not exist. */
export async function lockStrain(run: RunInTransaction, strainId: string): Promise<Strain | null> {
  // One pipelined query. The second statement runs after the lock is granted, so it sees the latest committed row.
  const [, rows] = await Promise.all([run(lock, [strainId]), run(findOne, [strainId])]);
  return rows[0] ?? null;
}

type StrainFields = Omit<Strain, 'id' | 'planet' | 'retailPrice'> & { readonly retailPrice: number | string };

const writtenColumns = `name, description, type, thc, cbd, flavour, feelings, helps_with, retail_price, currency,
  stock_quantity, is_available, image_url, country_codes`;
const writtenValues = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14';

const insert = statement<Strain>(
  'strains.insert',
  `WITH strains AS (
     INSERT INTO strains (${writtenColumns}, planet_id)
     SELECT ${writtenValues}, id FROM planets WHERE number = $15 OR id = $16 OR lower(name) = lower($17) RETURNING *
   )
   SELECT ${columns} FROM strains JOIN planets ON planets.id = strains.planet_id`,
);
const update = statement<Strain>(
  'strains.update',
  `WITH strains AS (
     UPDATE strains SET (${writtenColumns}, planet_id) = (${writtenValues}, coalesce($15, planet_id))
     WHERE id = $16 RETURNING *
   )
   SELECT ${columns} FROM strains JOIN planets ON planets.id = strains.planet_id`,
);

/** Inserts a strain, unless another strain has its name. Returns null if the planet does not exist. */
export function insertStrain(
  run: RunInTransaction,
  strain: StrainFields & { readonly planet: PlanetReference },
): Promise<Strain | 'name taken' | null> {
  return write(run(insert, [...toValues(strain), ...toPlanetValues(strain.planet)]));
}

/** Updates all fields of a locked strain, unless another strain has its name. Without a planet, its planet stays. */
export async function updateStrain(
  run: RunInTransaction,
  strain: StrainFields & { readonly id: string; readonly planetId: string | null },
): Promise<Strain | 'name taken'> {
  const written = await write(run(update, [...toValues(strain), strain.planetId, strain.id]));
  if (!written) throw new Error('A locked strain does not exist');
  return written;
}

/** Returns the values in the order of `writtenColumns`. */
function toValues(strain: StrainFields): unknown[] {
  return [
    strain.name,
    strain.description,
    strain.type,
    strain.thc,
    strain.cbd,
    strain.flavour,
    strain.feelings,
    strain.helpsWith,
    formatCents(toCents(strain.retailPrice)),
    strain.currency,
    strain.stockQuantity,
    strain.isAvailable,
    strain.imageUrl,
    strain.countryCodes,
  ];
}

async function write(writing: Promise<Strain[]>): Promise<Strain | 'name taken' | null> {
  try {
    const [strain] = await writing;
    return strain ?? null;
  } catch (error) {
    if (findViolatedIndex(error) === 'strains_name') return 'name taken';
    throw error;
  }
}
