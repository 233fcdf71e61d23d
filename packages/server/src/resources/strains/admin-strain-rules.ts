import { largestStock, type NewStrain, type Strain, type StrainChange } from '@keyfront/protocol';
import { ApiError, notFound, validationFailed } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { findPlanetByReference } from '../planets/planet-rules.ts';
import { insertStrain, lockStrain, updateStrain } from './strain-queries.ts';

/** Adds a strain to the catalogue. Optional fields default to empty, and the strain is available. */
export async function createStrain(
  run: RunInTransaction,
  scope: AdministratorScope,
  { planet, ...input }: NewStrain,
): Promise<Strain> {
  const strain = await insertStrain(run, {
    description: '',
    flavour: '',
    feelings: '',
    helpsWith: '',
    isAvailable: true,
    imageUrl: null,
    countryCodes: [],
    ...input,
    planet: readPlanetReference(planet),
  });
  if (!strain) throw notFound('Planet');
  if (strain === 'name taken') throw nameTaken(input.name);
  const { id, ...fields } = strain;
  auditCreation(run, scope, 'STRAIN', id, fields);
  return strain;
}

/** Changes the given fields of a strain. Other fields stay. */
export async function changeStrain(
  database: Database,
  scope: AdministratorScope,
  strainId: string,
  change: StrainChange,
): Promise<Strain> {
  const { planet, stockChange, ...fields } = change;
  if (stockChange !== undefined && fields.stockQuantity !== undefined) {
    throw validationFailed(['stockChange must not be given together with stockQuantity']);
  }
  return database.transaction(scope, async (run) => {
    const [before, planetId] = await Promise.all([
      lockStrain(run, strainId),
      planet === undefined ? null : findPlanetByReference(run, planet),
    ]);
    if (!before) throw notFound('Strain');
    if (planet !== undefined && planetId === null) throw notFound('Planet');
    const stockQuantity = fields.stockQuantity ?? addToStock(before, stockChange ?? 0);
    // id and planetId come last, because a body may contain fields outside its schema.
    const wanted = { ...before, ...fields, stockQuantity, id: strainId, planetId };
    const after = await updateStrain(run, wanted);
    if (after === 'name taken') throw nameTaken(wanted.name);
    auditChange(run, scope, 'STRAIN', strainId, { before, after });
    return after;
  });
}

function addToStock({ name, stockQuantity }: Strain, change: number): number {
  const stock = stockQuantity + change;
  if (stock < 0) throw new ApiError('STOCK_TOO_LOW', { message: `${name} has only ${stockQuantity} left` });
  if (stock > largestStock)
    throw new ApiError('STOCK_TOO_HIGH', {
      message: `${name} cannot have more than ${largestStock} in stock`,
    });
  return stock;
}

function nameTaken(name: string): ApiError {
  return new ApiError('NAME_TAKEN', { message: `A strain with the name ${name} exists already` });
}
