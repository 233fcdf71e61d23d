import { findViolatedIndex } from '@keyfront/postgres';
import type { Planet } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import { toPlanetValues } from './planet-reference.ts';

const columns = 'id, number, name, description, image_url AS "imageUrl"';

/** Lists all planets by number. */
export const listPlanets = query<Planet>(
  'planets.list',
  `SELECT ${columns} FROM planets ORDER BY number`,
).listShared(() => []);

/** Finds a planet by reference. */
export const findPlanet = query<{ id: string }>(
  'planets.find-id',
  'SELECT id FROM planets WHERE number = $1 OR id = $2 OR lower(name) = lower($3)',
).find(toPlanetValues);

/** Locks a planet until the transaction ends. Returns null if it does not exist. */
export const lockPlanet = query<Planet>(
  'planets.lock',
  `SELECT ${columns} FROM planets WHERE id = $1 FOR UPDATE`,
).find((planetId: string) => [planetId]);

/** Inserts a planet. */
export const insertPlanet = query<Planet>(
  'planets.insert',
  `INSERT INTO planets (number, name, description, image_url) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
).get(({ number, name, description, imageUrl }: Omit<Planet, 'id'>) => [number, name, description, imageUrl]);

/** Updates all fields of a locked planet. */
export const updatePlanet = query<Planet>(
  'planets.update',
  `UPDATE planets SET number = $2, name = $3, description = $4, image_url = $5 WHERE id = $1 RETURNING ${columns}`,
).get(({ id, number, name, description, imageUrl }: Planet) => [id, number, name, description, imageUrl]);

/** Which field another planet has already, if writing a planet failed because of it. */
export function findTakenField(error: unknown): 'number' | 'name' | null {
  const index = findViolatedIndex(error);
  if (index === 'planets_number_key') return 'number';
  return index === 'planets_name' ? 'name' : null;
}
