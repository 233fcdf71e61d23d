import { largestStock, type StrainChange, type StrainLocationChange } from '@keyfront/protocol';
import { nameCountry, readCountryCode } from '@keyfront/validation/countries';
import { ApiError, validationFailed } from '../../lib/errors/api-error.ts';
import { divideEvenly } from './divide-evenly.ts';
import type { LocationRecord, StrainRecord } from './strain-record.ts';

/** A location as it is to be written. */
export type WantedLocation = Omit<
  LocationRecord,
  'id' | 'retailPrice' | 'deliveryCharge' | 'freeDeliveryAbove'
> & {
  readonly retailPrice: number | string | null;
};

/** Where a strain is sold, and its stock. */
export interface WantedLocations {
  readonly unassignedStock: number;
  /** By country. */
  readonly locations: readonly WantedLocation[];
}

type LocationsBefore = Pick<StrainRecord, 'name' | 'currency' | 'unassignedStock'> & {
  readonly locations: readonly WantedLocation[];
};
type LocationChange = {
  readonly [Field in 'countryCodes' | 'stockQuantity' | 'stockChange' | 'strainLocations']?:
    | StrainChange[Field]
    | undefined;
};

/**
 * Applies the change of an administrator to the locations of a strain. Locations are never removed: orders refer to them, and
 * their stock is real. A country in which the strain is no longer sold keeps an inactive location.
 */
export function changeLocations(before: LocationsBefore, change: LocationChange): WantedLocations {
  const byCountry = new Map(before.locations.map((location) => [location.countryCode, location]));
  const withOwnStock = new Set<string>();
  if (change.countryCodes) selectCountries(byCountry, readCountryCodes(change.countryCodes));
  for (const each of change.strainLocations ?? []) {
    const countryCode = readCode(each.countryCode);
    byCountry.set(countryCode, changeLocation(before, byCountry.get(countryCode), countryCode, each));
    if (each.stockQuantity !== undefined) withOwnStock.add(countryCode);
  }
  const locations = [...byCountry.values()].toSorted((one, other) =>
    one.countryCode < other.countryCode ? -1 : 1,
  );
  const assigned = assignStock(before, locations, withOwnStock);
  return changeStock(before.name, assigned, change);
}

/** Throws the 400 if a change contradicts itself. */
export function rejectAmbiguousChange(change: LocationChange): void {
  const issues: string[] = [];
  if (change.stockChange !== undefined && change.stockQuantity !== undefined)
    issues.push('stockChange must not be given together with stockQuantity');
  if (change.strainLocations) {
    for (const field of ['countryCodes', 'stockQuantity', 'stockChange'] as const) {
      if (change[field] !== undefined)
        issues.push(`strainLocations must not be given together with ${field}`);
    }
    const codes = change.strainLocations.map(({ countryCode }) => readCode(countryCode));
    if (new Set(codes).size < codes.length)
      issues.push('strainLocations must not have the same country twice');
    change.strainLocations.forEach((each, index) => {
      if (each.stockChange !== undefined && each.stockQuantity !== undefined)
        issues.push(`strainLocations.${index}.stockChange must not be given together with stockQuantity`);
      if (each.currency !== undefined && (each.retailPrice ?? null) === null)
        issues.push(`strainLocations.${index}.currency must not be given without retailPrice`);
    });
  }
  if (issues.length > 0) throw validationFailed(issues);
}

function selectCountries(byCountry: Map<string, WantedLocation>, countryCodes: ReadonlySet<string>): void {
  for (const [countryCode, location] of byCountry) {
    byCountry.set(countryCode, { ...location, isActive: countryCodes.has(countryCode) });
  }
  for (const countryCode of countryCodes) {
    if (!byCountry.has(countryCode)) byCountry.set(countryCode, newLocation(countryCode));
  }
}

function newLocation(countryCode: string): WantedLocation {
  return { countryCode, isActive: true, stockQuantity: 0, retailPrice: null, currency: null };
}

function changeLocation(
  strain: LocationsBefore,
  before: WantedLocation | undefined,
  countryCode: string,
  change: StrainLocationChange,
): WantedLocation {
  const { isActive, stockQuantity, stockChange = 0 } = change;
  const location = before ?? newLocation(countryCode);
  const stock = stockQuantity ?? location.stockQuantity;
  return {
    countryCode,
    isActive: isActive ?? location.isActive,
    stockQuantity: addToStock(strain.name, countryCode, stock, stockChange),
    ...changePrice(strain, location, change),
  };
}

/** A price without a currency is in the currency that the location has already. */
function changePrice(
  strain: LocationsBefore,
  before: WantedLocation,
  { retailPrice, currency }: StrainLocationChange,
): Pick<WantedLocation, 'retailPrice' | 'currency'> {
  if (retailPrice === undefined) return { retailPrice: before.retailPrice, currency: before.currency };
  if (retailPrice === null) return { retailPrice: null, currency: null };
  return { retailPrice, currency: currency ?? before.currency ?? strain.currency };
}

/** Gives stock that belonged to no country to the first countries that the strain gets, unless these have stock of their own. */
function assignStock(
  before: LocationsBefore,
  locations: readonly WantedLocation[],
  withOwnStock: ReadonlySet<string>,
): WantedLocations {
  if (locations.length === 0) return { unassignedStock: before.unassignedStock, locations };
  const receivers = locations.filter(({ countryCode }) => !withOwnStock.has(countryCode));
  return {
    unassignedStock: 0,
    locations: addEvenly(before.name, locations, receivers, before.unassignedStock),
  };
}

/** Sets or changes the stock of all countries together. */
function changeStock(name: string, before: WantedLocations, change: LocationChange): WantedLocations {
  const { stockQuantity, stockChange = 0 } = change;
  const { locations } = before;
  if (locations.length === 0) {
    return {
      unassignedStock: stockQuantity ?? addToStock(name, null, before.unassignedStock, stockChange),
      locations,
    };
  }
  const active = locations.filter(({ isActive }) => isActive);
  const receivers = active.length > 0 ? active : locations;
  if (stockQuantity === undefined) {
    return { unassignedStock: 0, locations: addEvenly(name, locations, receivers, stockChange) };
  }
  const emptied = locations.map((location) => ({ ...location, stockQuantity: 0 }));
  const refilled = emptied.filter((_, index) => receivers.includes(locations[index] as WantedLocation));
  return { unassignedStock: 0, locations: addEvenly(name, emptied, refilled, stockQuantity) };
}

function addEvenly(
  name: string,
  locations: readonly WantedLocation[],
  receivers: readonly WantedLocation[],
  units: number,
): WantedLocation[] {
  const shares = divideEvenly(units, receivers.length);
  return locations.map((location) => {
    const share = shares[receivers.indexOf(location)] ?? 0;
    const { countryCode, stockQuantity } = location;
    return { ...location, stockQuantity: addToStock(name, countryCode, stockQuantity, share) };
  });
}

function addToStock(name: string, countryCode: string | null, before: number, change: number): number {
  const stock = before + change;
  const place = countryCode === null ? '' : ` in ${nameCountry(countryCode)}`;
  if (stock < 0) throw new ApiError('STOCK_TOO_LOW', { message: `${name} has only ${before} left${place}` });
  if (stock > largestStock)
    throw new ApiError('STOCK_TOO_HIGH', {
      message: `${name} cannot have more than ${largestStock} in stock${place}`,
    });
  return stock;
}

function readCountryCodes(codes: readonly string[]): ReadonlySet<string> {
  return new Set(codes.map(readCode));
}

function readCode(text: string): string {
  // The schema accepts only codes of countries.
  return readCountryCode(text) ?? text;
}
