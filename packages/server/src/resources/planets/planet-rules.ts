import type { NewPlanet, Planet, PlanetChange } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import type { ImageUrls } from '../images/image-urls.ts';
import { findPlanet, findTakenField, insertPlanet, lockPlanet, updatePlanet } from './planet-queries.ts';
import { readPlanetReference } from './planet-reference.ts';

/** Finds the id of a planet by number, name or id. */
export async function findPlanetByReference(tx: RunInTransaction, text: string): Promise<string | null> {
  return (await findPlanet(tx, readPlanetReference(text)))?.id ?? null;
}

/** Adds a planet to the catalogue. */
export async function createPlanet(
  tx: RunInTransaction,
  scope: AdministratorScope,
  imageUrls: ImageUrls,
  { number, name, description = '', imageUrl = null }: NewPlanet,
): Promise<Planet> {
  const wanted = { number, name, description, imageUrl: imageUrls.store(imageUrl) };
  const planet = await insertPlanet(tx, wanted).catch((error) => throwIfTaken(error, wanted));
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
    const after = await updatePlanet(tx, wanted).catch((error) => throwIfTaken(error, wanted));
    auditChange(tx, scope, 'PLANET', planetId, { before, after });
    return after;
  });
}

function throwIfTaken(error: unknown, { number, name }: Omit<Planet, 'id'>): never {
  const field = findTakenField(error);
  if (field === 'number')
    throw new ApiError('NUMBER_TAKEN', { message: `A planet with the number ${number} exists already` });
  if (field === 'name')
    throw new ApiError('NAME_TAKEN', { message: `A planet with the name ${name} exists already` });
  throw error;
}
