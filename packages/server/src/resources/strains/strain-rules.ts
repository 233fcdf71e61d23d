import type { Strain, StrainListQuery, StrainPage, StrainQuery } from '@keyfront/protocol';
import { readCountryCode } from '@keyfront/validation/countries';
import type { Database } from '../../database/database.ts';
import { convertAt } from '../../database/queries/list-at.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import { notFound } from '../../lib/errors/api-error.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { findStrain, listStrains, listStrainsAt } from './strain-queries.ts';
import { toStrain } from './to-strain.ts';

/** Gets one page of the catalogue. An empty filter value means no filter. */
export async function getStrainPage(database: Database, query: StrainListQuery): Promise<StrainPage> {
  const countryCode = readCountry(query);
  const filter = {
    search: query.search || null,
    countryCode,
    planet: query.planet ? readPlanetReference(query.planet) : null,
  };
  const { items, pageMetaDto } = await getPage(query, (page) => listStrains(database, filter, page));
  return { strains: items.map((strain) => toStrain(strain, countryCode)), pageMetaDto };
}

/** Gets a strain, or throws the 404. */
export async function getStrain(database: Database, strainId: string, query: StrainQuery): Promise<Strain> {
  const strain = await findStrain(database, strainId);
  if (!strain) throw notFound('Strain');
  return toStrain(strain, readCountry(query));
}

/** Describes strains as they were at these snapshots. */
export const describeStrainsAt = convertAt(listStrainsAt, (strain) => toStrain(strain, null));

function readCountry({ countryCode, country }: StrainQuery): string | null {
  const code = countryCode ?? country;
  return code === undefined ? null : readCountryCode(code);
}
