import type { NewPlanet, Planet, PlanetChange } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import type { ImageUrls } from '../images/image-urls.ts';
import {
  findPlanetId,
  insertPlanet,
  lockPlanet,
  updatePlanet,
  type WritePlanetOutcome,
} from './planet-queries.ts';
import { readPlanetReference } from './planet-reference.ts';

/** Finds the id of a planet by number, name or id. */
export function findPlanetByReference(tx: RunInTransaction, text: string): Promise<string | null> {
  return findPlanetId(tx, readPlanetReference(text));
}

/** Adds a planet to the catalogue. */
export async function createPlanet(
  tx: RunInTransaction,
  scope: AdministratorScope,
  imageUrls: ImageUrls,
  { number, name, description = '', imageUrl = null }: NewPlanet,
): Promise<Planet> {
  const wanted = { number, name, description, imageUrl: imageUrls.store(imageUrl) };
  const planet = throwIfTaken(await insertPlanet(tx, wanted), wanted);
  const { id, ...fields } = planet;
  auditCreation(tx, scope, 'PLANET', id, fields);
  return planet;
}

/** Changes the given fields of a planet. Other fields stay. */
export async function changePlanet(
  database: Database,
  scope: AdministratorScope,
  imageUrls: ImageUrls,
  planetId: string,
  { imageUrl, ...change }: PlanetChange,
): Promise<Planet> {
  return database.transaction(scope, async (tx) => {
    const before = await lockPlanet(tx, planetId);
    if (!before) throw notFound('Planet');
    const image = imageUrl === undefined ? {} : { imageUrl: imageUrls.store(imageUrl) };
    const wanted = { ...before, ...change, ...image, id: planetId };
    const after = throwIfTaken(await updatePlanet(tx, wanted), wanted);
    auditChange(tx, scope, 'PLANET', planetId, { before, after });
    return after;
  });
}

function throwIfTaken(outcome: WritePlanetOutcome, { number, name }: Omit<Planet, 'id'>): Planet {
  if (outcome === 'number taken')
    throw new ApiError('NUMBER_TAKEN', { message: `A planet with the number ${number} exists already` });
  if (outcome === 'name taken')
    throw new ApiError('NAME_TAKEN', { message: `A planet with the name ${name} exists already` });
  return outcome;
}
