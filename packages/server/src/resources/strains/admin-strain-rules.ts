import type { NewStrain, Strain, StrainChange } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import type { ImageUrls } from '../images/image-urls.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { findPlanetByReference } from '../planets/planet-rules.ts';
import { changeLocations, rejectAmbiguousChange } from './change-locations.ts';
import { changeImages, noImages } from './strain-images.ts';
import {
  insertStrain,
  isNameTaken,
  lockStrain,
  recordStrainChanged,
  recordStrainCreated,
  updateStrain,
} from './strain-queries.ts';
import type { StrainRecord } from './strain-record.ts';
import { toStrain } from './to-strain.ts';

/** Adds a strain to the catalogue. Optional fields default to empty, and the strain is available. */
export async function createStrain(
  tx: RunInTransaction,
  scope: AdministratorScope,
  imageUrls: ImageUrls,
  { planet, countryCodes, stockQuantity, strainLocations, imageUrl, strainImages, ...fields }: NewStrain,
): Promise<Strain> {
  const { name, currency, isActive, isAvailable = true } = fields;
  const locationChange = { countryCodes, stockQuantity, strainLocations };
  rejectAmbiguousChange(locationChange);
  const sold = changeLocations({ name, currency, unassignedStock: 0, locations: [] }, locationChange);
  const written = await insertStrain(tx, {
    description: '',
    flavour: '',
    feelings: '',
    helpsWith: '',
    ...fields,
    isAvailable: isActive ?? isAvailable,
    ...sold,
    ...changeImages({ ...noImages, name }, { imageUrl, strainImages }, imageUrls),
    planet: readPlanetReference(planet),
  }).catch((error) => throwIfTaken(error, name));
  if (!written) throw notFound('Planet');
  recordStrainCreated(tx, written.id);
  auditCreation(tx, scope, 'STRAIN', written.id, describeForAudit(written));
  return toStrain(written, null);
}

/** Changes the given fields of a strain. Other fields stay. */
export async function changeStrain(
  database: Database,
  scope: AdministratorScope,
  imageUrls: ImageUrls,
  strainId: string,
  change: StrainChange,
): Promise<Strain> {
  const { planet, countryCodes, stockQuantity, stockChange, strainLocations, ...rest } = change;
  const { imageUrl, strainImages, ...fields } = rest;
  const locationChange = { countryCodes, stockQuantity, stockChange, strainLocations };
  rejectAmbiguousChange(locationChange);
  return database.transaction(scope, async (tx) => {
    const [locked, planetId] = await Promise.all([
      lockStrain(tx, strainId),
      planet === undefined ? null : findPlanetByReference(tx, planet),
    ]);
    if (!locked) throw notFound('Strain');
    const { strain: before, snapshot } = locked;
    if (planet !== undefined && planetId === null) throw notFound('Planet');
    const { isActive = fields.isAvailable ?? before.isAvailable } = fields;
    const named = { ...before, ...fields, isAvailable: isActive };
    const changed = { ...named, ...changeImages(named, { imageUrl, strainImages }, imageUrls) };
    const sold = changeLocations(changed, locationChange);
    const written = await updateStrain(tx, strainId, planetId, { ...changed, ...sold }).catch((error) =>
      throwIfTaken(error, changed.name),
    );
    recordStrainChanged(tx, strainId, snapshot);
    auditChange(tx, scope, 'STRAIN', strainId, {
      before: describeForAudit(before),
      after: describeForAudit(written),
    });
    return toStrain(written, null);
  });
}

/** The availability in the audit log is what administrators have set, whether or not the strain is sold anywhere. */
function describeForAudit(record: StrainRecord): Omit<Strain, 'id'> {
  const { id: _id, ...fields } = toStrain(record, null);
  return { ...fields, isAvailable: record.isAvailable };
}

function throwIfTaken(error: unknown, name: string): never {
  if (!isNameTaken(error)) throw error;
  throw new ApiError('NAME_TAKEN', { message: `A strain with the name ${name} exists already` });
}
