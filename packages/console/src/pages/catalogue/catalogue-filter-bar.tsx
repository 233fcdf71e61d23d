import type { StrainFacets } from '@keyfront/sdk';
import { choiceField, rangeField } from '../../filters/fields.tsx';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import { formatNumber } from '../../format/format-number.ts';
import {
  availabilities,
  type CatalogueFilters,
  readCatalogueFilters,
  strainSorts,
  strainTypes,
} from './catalogue-filters.ts';
import { facetField } from './facet-field.tsx';
import { useCountries } from './use-countries.ts';
import { usePlanetChoices } from './use-planet-choices.ts';

interface CatalogueFilterBarProps {
  readonly filters: CatalogueFilters;
  /** What the filters leave. Undefined while it is loaded. */
  readonly facets: StrainFacets | undefined;
  readonly onChange: (filters: CatalogueFilters, typedFilter?: string) => void;
}

/** The filters of the catalogue, with how many strains each would leave. */
export function CatalogueFilterBar({ filters, facets, onChange }: CatalogueFilterBarProps) {
  const countries = useCountries();
  const planets = usePlanetChoices();
  const hintOf = (limit: number | null | undefined) => (limit == null ? '' : formatNumber(limit));
  return (
    <ListFilterBar
      list="/catalogue"
      filters={filters}
      readFilters={readCatalogueFilters}
      onChange={onChange}
      placeholder="Name or description"
      sorts={strainSorts}
      fields={(change) => [
        choiceField({
          label: 'Country',
          name: 'countryCode',
          value: filters.countryCode,
          choices: Object.fromEntries(countries.map(({ value, label }) => [value, label])),
          change,
        }),
        choiceField({ label: 'Planet', name: 'planet', value: filters.planet, choices: planets, change }),
        choiceField({
          label: 'Availability',
          name: 'isAvailable',
          value: filters.isAvailable,
          choices: availabilities,
          change,
        }),
        facetField({
          label: 'Type',
          name: 'type',
          facet: facets?.type,
          value: filters.type,
          nameOf: (type) =>
            Object.hasOwn(strainTypes, type) ? strainTypes[type as keyof typeof strainTypes] : type,
          change,
        }),
        facetField({
          label: 'Feelings',
          name: 'feelings',
          facet: facets?.feelings,
          value: filters.feelings,
          change,
        }),
        facetField({
          label: 'Helps with',
          name: 'helpsWith',
          facet: facets?.helpsWith,
          value: filters.helpsWith,
          change,
        }),
        facetField({
          label: 'Flavour',
          name: 'flavour',
          facet: facets?.flavour,
          value: filters.flavour,
          change,
        }),
        rangeField({
          label: 'THC in %',
          names: ['thcMin', 'thcMax'],
          values: [filters.thcMin, filters.thcMax],
          hints: [hintOf(facets?.thc.min), hintOf(facets?.thc.max)],
          change,
        }),
        rangeField({
          label: 'Price',
          names: ['priceMin', 'priceMax'],
          values: [filters.priceMin, filters.priceMax],
          hints: [hintOf(facets?.price.min), hintOf(facets?.price.max)],
          obstacle: filters.countryCode === undefined ? 'in a country' : undefined,
          change,
        }),
      ]}
    />
  );
}
