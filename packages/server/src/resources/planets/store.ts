import type { Planet } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

const listAll = statement<Planet>(
  'planets.list',
  'SELECT id, number, name, description, image_url AS "imageUrl" FROM planets ORDER BY number',
);

/** All planets, by number. */
export function listPlanets(database: Database): Promise<Planet[]> {
  return database.queryShared(listAll);
}
