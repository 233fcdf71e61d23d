import type { StrainListQuery } from '@keyfront/sdk';
import {
  readCountryCode,
  readList,
  readNumber,
  readOneOf,
  readText,
  removeAbsent,
} from '../../filters/read-filter.ts';
import { texts } from '../../texts/lists.ts';

/** The filters of the catalogue that stand in its URL. */
export type CatalogueFilters = Pick<
  StrainListQuery,
  | 'search'
  | 'countryCode'
  | 'planet'
  | 'type'
  | 'feelings'
  | 'helpsWith'
  | 'flavour'
  | 'thcMin'
  | 'thcMax'
  | 'priceMin'
  | 'priceMax'
  | 'isAvailable'
  | 'orderBy'
>;

/** The filters of administrators. They see a strain with all of its countries. */
export type AdminCatalogueFilters = Pick<
  CatalogueFilters,
  'search' | 'planet' | 'type' | 'isAvailable' | 'orderBy'
>;

export const strainTypes = { INDICA: texts.indica, SATIVA: texts.sativa, HYBRID: texts.hybrid } as const;

/** Whether a strain can be ordered now. */
export const availabilities = { true: texts.available, false: texts.notAvailable } as const;

export const strainSorts = {
  'name:asc': texts.byNameAToZ,
  'name:desc': texts.byNameZToA,
  'createdAt:desc': texts.newestFirst,
  'retailPrice:asc': texts.lowestPrice,
  'retailPrice:desc': texts.highestPrice,
  'thc:desc': texts.mostThc,
  'cbd:desc': texts.mostCbd,
} as const;

const highestPercentage = 100;
/** The largest amount of the service. */
const highestPrice = 9_999_999_999.99;

/** The filters of a URL. What is not one is left out. */
export function readCatalogueFilters(search: Record<string, unknown>): CatalogueFilters {
  const countryCode = readCountryCode(search.countryCode);
  // Prices differ by country, so that a price without one says nothing.
  const readPrice = (value: unknown) => (countryCode ? readNumber(value, highestPrice) : undefined);
  return removeAbsent({
    ...readAdminCatalogueFilters(search),
    countryCode,
    feelings: readList(search.feelings),
    helpsWith: readList(search.helpsWith),
    flavour: readList(search.flavour),
    thcMin: readNumber(search.thcMin, highestPercentage),
    thcMax: readNumber(search.thcMax, highestPercentage),
    priceMin: readPrice(search.priceMin),
    priceMax: readPrice(search.priceMax),
  });
}

export function readAdminCatalogueFilters(search: Record<string, unknown>): AdminCatalogueFilters {
  const types = (readList(search.type) ?? '').split(',').filter((type) => Object.hasOwn(strainTypes, type));
  return removeAbsent({
    search: readText(search.search)?.slice(0, 100),
    planet: readText(search.planet)?.slice(0, 100),
    type: types.join(','),
    isAvailable: readOneOf(['true', 'false'], search.isAvailable),
    orderBy: readOneOf(Object.keys(strainSorts) as (keyof typeof strainSorts)[], search.orderBy),
  });
}
