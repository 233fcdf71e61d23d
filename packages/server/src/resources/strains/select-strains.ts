import type { StrainFacets, StrainListQuery } from '@keyfront/protocol';
import { readPlanetReference } from '../planets/planet-reference.ts';
import type { StrainRecord } from './strain-record.ts';

const listFacets = ['feelings', 'helpsWith', 'flavour'] as const;

/** A value of a list such as `calm, Happy`. Values are compared by their keys, which have no case. */
interface ListValue {
  readonly key: string;
  readonly value: string;
}

/** A strain with what filters compare. It is prepared once for all requests. */
export interface CatalogueStrain {
  readonly record: StrainRecord;
  readonly name: string;
  readonly description: string;
  readonly lists: Readonly<Record<(typeof listFacets)[number], readonly ListValue[]>>;
}

export function prepareStrain(record: StrainRecord): CatalogueStrain {
  return {
    record,
    name: record.name.toLowerCase(),
    description: record.description.toLowerCase(),
    lists: {
      feelings: readList(record.feelings),
      helpsWith: readList(record.helpsWith),
      flavour: readList(record.flavour),
    },
  };
}

/** A strain as it is offered in the requested country. */
interface Candidate extends CatalogueStrain {
  readonly price: number;
  readonly isAvailable: boolean;
}

/** Filters by their names. A facet has the name of its filter. */
type Filters = Record<string, (candidate: Candidate) => boolean>;

/** Selects and sorts the strains that a query asks for. `strains` are all strains by name. */
export function selectStrains(
  strains: readonly CatalogueStrain[],
  query: StrainListQuery,
  countryCode: string | null,
): { records: StrainRecord[]; facets: StrainFacets | null } {
  const filters = Object.entries(readFilters(query));
  const counts = query.facets === 'true' ? new FacetCounts() : null;
  const matching: Candidate[] = [];
  for (const strain of strains) {
    const candidate = offerIn(strain, countryCode);
    if (!candidate) continue;
    const failed = findFailed(filters, candidate);
    if (failed === 'several') continue;
    if (failed === null) matching.push(candidate);
    // A strain that fails one filter alone is counted for the facet of that filter only: all others leave it.
    counts?.add(candidate, failed);
  }
  sort(matching, query.orderBy);
  return { records: matching.map(({ record }) => record), facets: counts?.toFacets() ?? null };
}

/** Returns the name of the one filter that the strain fails, null if it fails none, or `several`. */
function findFailed(
  filters: readonly (readonly [string, (candidate: Candidate) => boolean])[],
  candidate: Candidate,
): string | null {
  let failed: string | null = null;
  for (const [name, matches] of filters) {
    if (matches(candidate)) continue;
    if (failed !== null) return 'several';
    failed = name;
  }
  return failed;
}

/** Returns null for a strain that is not sold in the country. Without a country, the price is the base price. */
function offerIn(strain: CatalogueStrain, countryCode: string | null): Candidate | null {
  const { record, name, description, lists } = strain;
  let price = record.retailPrice;
  let isSold = countryCode === null;
  let hasStock = false;
  for (const location of record.locations) {
    if (!location.isActive || (countryCode !== null && location.countryCode !== countryCode)) continue;
    if (countryCode !== null) price = location.retailPrice ?? price;
    isSold = true;
    hasStock ||= location.stockQuantity > 0;
  }
  if (!isSold) return null;
  // Lists the fields: V8 makes slow objects of `{ ...spread, added }`, and this runs for every strain.
  return { record, name, description, lists, price, isAvailable: record.isAvailable && hasStock };
}

function readFilters(query: StrainListQuery): Filters {
  const filters: Filters = {};
  const { search, planet, type, isAvailable } = query;
  if (search) {
    const text = search.toLowerCase();
    filters.search = ({ name, description }) => name.includes(text) || description.includes(text);
  }
  if (planet) filters.planet = matchPlanet(planet);
  if (type) {
    const types = type.split(',');
    filters.type = ({ record }) => types.includes(record.type);
  }
  for (const facet of listFacets) {
    const wanted = new Set(readList(query[facet] ?? '').map(({ key }) => key));
    if (wanted.size > 0) filters[facet] = ({ lists }) => lists[facet].some(({ key }) => wanted.has(key));
  }
  addRange(filters, 'thc', ({ record }) => record.thc, query.thcMin, query.thcMax);
  addRange(filters, 'cbd', ({ record }) => record.cbd, query.cbdMin, query.cbdMax);
  addRange(filters, 'price', ({ price }) => price, query.priceMin, query.priceMax);
  if (isAvailable) filters.isAvailable = (candidate) => String(candidate.isAvailable) === isAvailable;
  return filters;
}

function matchPlanet(text: string): (candidate: Candidate) => boolean {
  const planet = readPlanetReference(text);
  if ('number' in planet) return ({ record }) => record.planet.number === planet.number;
  if ('id' in planet) return ({ record }) => record.planetId === planet.id.toLowerCase();
  const name = planet.name.toLowerCase();
  return ({ record }) => record.planet.name.toLowerCase() === name;
}

function addRange(
  filters: Filters,
  name: string,
  read: (candidate: Candidate) => number,
  min: number | undefined,
  max: number | undefined,
): void {
  if (min === undefined && max === undefined) return;
  filters[name] = (candidate) => {
    const value = read(candidate);
    return (min === undefined || value >= min) && (max === undefined || value <= max);
  };
}

/** Reads a list. A value that it names twice is there once, in its first spelling. */
function readList(text: string): ListValue[] {
  const values = new Map<string, ListValue>();
  for (const part of text.split(',')) {
    const value = part.trim();
    const key = value.toLowerCase();
    if (value !== '' && !values.has(key)) values.set(key, { key, value });
  }
  return [...values.values()];
}

/** The sort is stable, and the candidates come by name. */
function sort(candidates: Candidate[], orderBy: StrainListQuery['orderBy'] = 'name'): void {
  const [field, direction] = orderBy.split(':');
  if (field === 'name') {
    if (direction === 'desc') candidates.reverse();
    return;
  }
  const read = {
    retailPrice: ({ price }: Candidate) => price,
    thc: ({ record }: Candidate) => record.thc,
    cbd: ({ record }: Candidate) => record.cbd,
    createdAt: ({ record }: Candidate) => Date.parse(record.createdAt),
  }[field as 'retailPrice' | 'thc' | 'cbd' | 'createdAt'];
  const sign = direction === 'desc' ? -1 : 1;
  candidates.sort((a, b) => sign * (read(a) - read(b)));
}

class FacetCounts {
  readonly #type = new ValueCounts();
  readonly #lists = {
    feelings: new ValueCounts(),
    helpsWith: new ValueCounts(),
    flavour: new ValueCounts(),
  };
  readonly #thc = new Range();
  readonly #price = new Range();

  /** Counts a strain for all facets, or only for one. A filter without a facet counts nothing. */
  add({ record, lists, price }: Candidate, only: string | null): void {
    const counts = (facet: string) => only === null || only === facet;
    if (counts('type')) this.#type.add([{ key: record.type, value: record.type }]);
    for (const facet of listFacets) if (counts(facet)) this.#lists[facet].add(lists[facet]);
    if (counts('thc')) this.#thc.add(record.thc);
    if (counts('price')) this.#price.add(price);
  }

  toFacets(): StrainFacets {
    const { feelings, helpsWith, flavour } = this.#lists;
    return {
      type: this.#type.toList(),
      feelings: feelings.toList(),
      helpsWith: helpsWith.toList(),
      flavour: flavour.toList(),
      thc: this.#thc.toRange(),
      price: this.#price.toRange(),
    };
  }
}

class ValueCounts {
  readonly #counts = new Map<string, { readonly value: string; count: number }>();

  add(values: readonly ListValue[]): void {
    for (const { key, value } of values) {
      const found = this.#counts.get(key);
      if (found) found.count++;
      else this.#counts.set(key, { value, count: 1 });
    }
  }

  /** The most frequent value first. */
  toList(): { value: string; count: number }[] {
    return [...this.#counts]
      .sort(([a, { count }], [b, other]) => other.count - count || (a < b ? -1 : 1))
      .map(([, counted]) => counted);
  }
}

class Range {
  #min: number | null = null;
  #max: number | null = null;

  add(value: number): void {
    this.#min = Math.min(this.#min ?? value, value);
    this.#max = Math.max(this.#max ?? value, value);
  }

  toRange(): { min: number | null; max: number | null } {
    return { min: this.#min, max: this.#max };
  }
}
