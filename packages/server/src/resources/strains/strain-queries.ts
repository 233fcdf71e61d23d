import { findViolatedIndex, statement } from '@keyfront/postgres';
import type { Database } from '../../database/database.ts';
import { listAt } from '../../database/queries/list-at.ts';
import { query } from '../../database/queries/query.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { formatCents, toCents } from '../../lib/amounts.ts';
import { type PlanetReference, toPlanetValues } from '../planets/planet-reference.ts';
import type { WantedLocations } from './change-locations.ts';
import type { StrainRecord } from './strain-record.ts';

const locationsIn = (table: string) => `coalesce((
    SELECT json_agg(json_build_object('id', location.id, 'countryCode', location.country_code,
      'isActive', location.is_active, 'stockQuantity', location.stock_quantity,
      'retailPrice', location.retail_price, 'currency', location.currency,
      'deliveryCharge', coalesce(charge.delivery_charge, 0), 'freeDeliveryAbove', charge.free_from)
      ORDER BY location.country_code)
    FROM ${table} AS location LEFT JOIN delivery_charges AS charge ON charge.country_code = location.country_code
      AND charge.currency = coalesce(location.currency, strains.currency)
    WHERE location.strain_id = strains.id
  ), '[]')`;

const columnsWith = (locationTable: string) => `
  strains.id, strains.name, strains.description, strains.type, strains.thc::float8, strains.cbd::float8,
  strains.flavour, strains.feelings, strains.helps_with AS "helpsWith", strains.retail_price AS "retailPrice",
  strains.currency, strains.unassigned_stock AS "unassignedStock", strains.is_available AS "isAvailable",
  strains.planet_id AS "planetId", strains.created_at AS "createdAt", strains.image_url AS "imageUrl", strains.image_alt AS "imageAlt", strains.more_images AS "moreImages",
  json_build_object('number', planets.number, 'name', planets.name) AS planet,
  ${locationsIn(locationTable)} AS locations`;
const columns = columnsWith('strain_locations');

const findOne = statement<StrainRecord>(
  'strains.find',
  `SELECT ${columns} FROM strains JOIN planets ON planets.id = strains.planet_id WHERE strains.id = $1`,
);

/** Lists all strains by name. */
export const listAllStrains = query<StrainRecord>(
  'strains.list-all',
  `SELECT ${columns} FROM strains JOIN planets ON planets.id = strains.planet_id ORDER BY strains.name, strains.id`,
).listShared(() => []);

/** Finds a strain. */
export async function findStrain(database: Database, strainId: string): Promise<StrainRecord | null> {
  const rows = await database.queryShared(findOne, [strainId]);
  return rows[0] ?? null;
}

/** Lists strains as they were at these snapshots, in their order. */
export const listStrainsAt = listAt<StrainRecord>(
  'strains.list-at',
  `SELECT wanted.number, ${columnsWith(`jsonb_populate_recordset(NULL::strain_locations, wanted.snapshot -> 'locations')`)}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::strains, wanted.snapshot) AS strains
   CROSS JOIN LATERAL jsonb_populate_record(NULL::planets, wanted.snapshot -> 'planet') AS planets`,
);

const takeSnapshot = statement<{ snapshot: string }>(
  'strains.take-snapshot',
  'SELECT strain_snapshot($1)::text AS snapshot',
);

/** Queues the event of a new strain for the commit. */
export const recordStrainCreated = query(
  'strains.record-created',
  `INSERT INTO events (token_id, type, snapshot) VALUES (NULL, 'strain.created', strain_snapshot($1))`,
).atCommit((strainId: string) => [strainId]);

/** Queues the events of a changed strain for the commit. Nothing is recorded if it is the same as in the snapshot. */
export const recordStrainChanged = query(
  'strains.record-changed',
  'SELECT record_strain_change($1, $2)',
).atCommit((strainId: string, earlier: string) => [strainId, earlier]);

// Does not join the planet: while the lock waits, the strain may move to another planet.
const lock = statement('strains.lock', 'SELECT FROM strains WHERE id = $1 FOR NO KEY UPDATE');
// In the order of the ids, as checkout does, to prevent deadlocks.
const lockLocations = statement(
  'strains.lock-locations',
  'SELECT FROM strain_locations WHERE strain_id = $1 ORDER BY id FOR NO KEY UPDATE',
);

/**
 * Locks a strain and its stock until the transaction ends. Returns it with the snapshot that its events are compared with,
 * or null if it does not exist.
 */
export async function lockStrain(
  tx: RunInTransaction,
  strainId: string,
): Promise<{ strain: StrainRecord; snapshot: string } | null> {
  // One pipelined query. The last statements run after the locks are granted, so they see the latest committed rows.
  const [, , [strain], [taken]] = await Promise.all([
    tx(lock, [strainId]),
    tx(lockLocations, [strainId]),
    tx(findOne, [strainId]),
    tx(takeSnapshot, [strainId]),
  ]);
  return strain && taken ? { strain, snapshot: taken.snapshot } : null;
}

type StrainFields = Omit<
  StrainRecord,
  'id' | 'planet' | 'planetId' | 'createdAt' | 'retailPrice' | 'unassignedStock' | 'locations'
> &
  WantedLocations & { readonly retailPrice: number | string };

const writtenColumns = `name, description, type, thc, cbd, flavour, feelings, helps_with, retail_price, currency,
  unassigned_stock, is_available, image_url, image_alt, more_images`;
const writtenValues = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15';
const writtenLocations = `
  INSERT INTO strain_locations (strain_id, country_code, is_active, stock_quantity, retail_price, currency)
  SELECT strains.id, wanted.* FROM strains,
    unnest($16::text[], $17::boolean[], $18::integer[], $19::numeric[], $20::text[]) AS wanted`;

/** Inserts a strain with its locations. Returns null if the planet does not exist. */
export const insertStrain = query<StrainRecord>(
  'strains.insert',
  `WITH strains AS (
     INSERT INTO strains (${writtenColumns}, planet_id)
     SELECT ${writtenValues}, id FROM planets WHERE number = $21 OR id = $22 OR lower(name) = lower($23) RETURNING *
   ), written AS (${writtenLocations} RETURNING *)
   SELECT ${columnsWith('written')} FROM strains JOIN planets ON planets.id = strains.planet_id`,
).find(({ planet, ...strain }: StrainFields & { readonly planet: PlanetReference }) => [
  ...toValues(strain),
  ...toPlanetValues(planet),
]);

/** Updates all fields of a locked strain. Without a planet, its planet stays. */
export const updateStrain = query<StrainRecord>(
  'strains.update',
  // Every location is written, so `written` has all of them.
  `WITH strains AS (
     UPDATE strains SET (${writtenColumns}, planet_id) = (${writtenValues}, coalesce($21, planet_id))
     WHERE id = $22 RETURNING *
   ), written AS (${writtenLocations}
     ON CONFLICT (strain_id, country_code) DO UPDATE SET is_active = excluded.is_active,
       stock_quantity = excluded.stock_quantity, retail_price = excluded.retail_price, currency = excluded.currency
     RETURNING *
   )
   SELECT ${columnsWith('written')} FROM strains JOIN planets ON planets.id = strains.planet_id`,
).get((id: string, planetId: string | null, strain: StrainFields) => [...toValues(strain), planetId, id]);

/** Whether writing a strain failed because another one has its name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedIndex(error) === 'strains_name';
}

/** Returns the values in the order of `writtenColumns` and `writtenLocations`. */
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
    strain.unassignedStock,
    strain.isAvailable,
    strain.imageUrl,
    strain.imageAlt,
    JSON.stringify(strain.moreImages),
    strain.locations.map(({ countryCode }) => countryCode),
    strain.locations.map(({ isActive }) => isActive),
    strain.locations.map(({ stockQuantity }) => stockQuantity),
    strain.locations.map(({ retailPrice }) =>
      retailPrice === null ? null : formatCents(toCents(retailPrice)),
    ),
    strain.locations.map(({ currency }) => currency),
  ];
}
