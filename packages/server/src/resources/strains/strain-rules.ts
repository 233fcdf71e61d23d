import {
  pageMeta,
  pageRequest,
  type Strain,
  type StrainListQuery,
  type StrainPage,
  type StrainQuery,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { RunStatement } from '../../database/transactions/transaction.ts';
import { readCountryCode } from '../../lib/countries.ts';
import { notFound } from '../../lib/errors/api-error.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { findStrain, listStrains, listStrainsAt } from './strain-queries.ts';
import { toStrain } from './to-strain.ts';

/** Gets one page of the catalogue. An empty filter value means no filter. */
export async function getStrainPage(database: Database, query: StrainListQuery): Promise<StrainPage> {
  const page = pageRequest(query);
  const countryCode = readCountry(query);
  const filter = {
    search: query.search || null,
    countryCode,
    planet: query.planet ? readPlanetReference(query.planet) : null,
  };
  const { strains, itemCount } = await listStrains(database, filter, page);
  return {
    strains: strains.map((strain) => toStrain(strain, countryCode)),
    pageMetaDto: pageMeta(page, itemCount),
  };
}

/** Gets a strain, or throws the 404. */
export async function getStrain(database: Database, strainId: string, query: StrainQuery): Promise<Strain> {
  const strain = await findStrain(database, strainId);
  if (!strain) throw notFound('Strain');
  return toStrain(strain, readCountry(query));
}

/** Describes strains as they were at these snapshots. */
export async function describeStrainsAt(
  tx: RunStatement,
  snapshots: readonly string[],
): Promise<(Strain | null)[]> {
  return (await listStrainsAt(tx, snapshots)).map((strain) => strain && toStrain(strain, null));
}

function readCountry({ countryCode, country }: StrainQuery): string | null {
  const code = countryCode ?? country;
  return code === undefined ? null : readCountryCode(code);
}
