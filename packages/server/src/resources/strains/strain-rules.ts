import {
  pageMeta,
  pageOffset,
  pageRequest,
  type Strain,
  type StrainListQuery,
  type StrainPage,
  type StrainQuery,
} from '@keyfront/protocol';
import { readCountryCode } from '@keyfront/validation/countries';
import type { Database } from '../../database/database.ts';
import { convertAt } from '../../database/queries/list-at.ts';
import { notFound, validationFailed } from '../../lib/errors/api-error.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { prepareStrain, selectStrains } from './select-strains.ts';
import { findStrain, listAllStrains, listStrainsAt } from './strain-queries.ts';
import { toStrain } from './to-strain.ts';

/** Gets one page of the catalogue. An empty filter value means no filter. */
export async function getStrainPage(
  database: Database,
  { allStrains }: CatalogueCache,
  query: StrainListQuery,
): Promise<StrainPage> {
  const countryCode = readCountry(query);
  const needsCountry = (['priceMin', 'priceMax'] as const).filter((name) => query[name] !== undefined);
  if (countryCode === null && needsCountry.length > 0) {
    throw validationFailed(
      needsCountry.map((name) => `${name} requires countryCode, because prices differ by country`),
    );
  }
  const all = await allStrains.get(async () => (await listAllStrains(database)).map(prepareStrain));
  const { records, facets } = selectStrains(all, query, countryCode);
  const page = pageRequest(query);
  const offset = pageOffset(page);
  return {
    strains: records.slice(offset, offset + page.take).map((record) => toStrain(record, countryCode)),
    pageMetaDto: pageMeta(page, records.length),
    ...(facets ? { facets } : {}),
  };
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
