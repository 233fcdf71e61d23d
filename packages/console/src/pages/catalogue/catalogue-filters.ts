import type { StrainListQuery } from '@keyfront/sdk';
import { readCountryCode, readText, removeAbsent } from '../../filters/read-filter.ts';

/** The filters of the catalogue that stand in its URL. */
export type CatalogueFilters = Pick<StrainListQuery, 'search' | 'countryCode' | 'planet'>;

export function readCatalogueFilters(search: Record<string, unknown>): CatalogueFilters {
  return removeAbsent({
    search: readText(search.search),
    countryCode: readCountryCode(search.countryCode),
    planet: readText(search.planet),
  });
}
