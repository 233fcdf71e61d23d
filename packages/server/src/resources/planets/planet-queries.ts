import type { Planet } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import { statement } from '../../database/statements/statement.ts';
import { findViolatedIndex } from '../../database/statements/unique-violation.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { type PlanetReference, toPlanetValues } from './planet-reference.ts';

const columns = 'id, number, name, description, image_url AS "imageUrl"';

/** Lists all planets by number. */
export const listPlanets = query<Planet>(
  'planets.list',
  `SELECT ${columns} FROM planets ORDER BY number`,
).listShared(() => []);

const findId = statement<{ id: string }>(
  'planets.find-id',
  'SELECT id FROM planets WHERE number = $1 OR id = $2 OR lower(name) = lower($3)',
);

/** Finds the id of a planet by reference. */
export async function findPlanetId(tx: RunInTransaction, planet: PlanetReference): Promise<string | null> {
  const rows = await tx(findId, toPlanetValues(planet));
  return rows[0]?.id ?? null;
}

/** Locks a planet until the transaction ends. Returns null if it does not exist. */
export const lockPlanet = query<Planet>(
  'planets.lock',
  `SELECT ${columns} FROM planets WHERE id = $1 FOR UPDATE`,
).find((planetId: string) => [planetId]);

const insert = statement<Planet>(
  'planets.insert',
  `INSERT INTO planets (number, name, description, image_url) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
);
const update = statement<Planet>(
  'planets.update',
  `UPDATE planets SET number = $2, name = $3, description = $4, image_url = $5 WHERE id = $1 RETURNING ${columns}`,
);

export type WritePlanetOutcome = Planet | 'number taken' | 'name taken';

/** Inserts a planet, unless another planet has its number or name. */
export function insertPlanet(tx: RunInTransaction, planet: Omit<Planet, 'id'>): Promise<WritePlanetOutcome> {
  return write(tx(insert, [planet.number, planet.name, planet.description, planet.imageUrl]));
}

/** Updates all fields of a locked planet, unless another planet has its number or name. */
export function updatePlanet(tx: RunInTransaction, planet: Planet): Promise<WritePlanetOutcome> {
  return write(tx(update, [planet.id, planet.number, planet.name, planet.description, planet.imageUrl]));
}

async function write(writing: Promise<Planet[]>): Promise<WritePlanetOutcome> {
  try {
    const [planet] = await writing;
    if (!planet) throw new Error('The written planet was not returned');
    return planet;
  } catch (error) {
    switch (findViolatedIndex(error)) {
      case 'planets_number_key':
        return 'number taken';
      case 'planets_name':
        return 'name taken';
      default:
        throw error;
    }
  }
}
