import type { StrainFacets } from '@keyfront/sdk';
import { choiceField, rangeField } from '../../filters/fields.tsx';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/catalogue.ts';
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
      placeholder={texts.nameOrDescription}
      sorts={strainSorts}
      fields={(change) => [
        choiceField({
          label: texts.country,
          name: 'countryCode',
          value: filters.countryCode,
          choices: Object.fromEntries(countries.map(({ value, label }) => [value, label])),
          change,
        }),
        choiceField({ label: texts.planet, name: 'planet', value: filters.planet, choices: planets, change }),
        choiceField({
          label: texts.availability,
          name: 'isAvailable',
          value: filters.isAvailable,
          choices: availabilities,
          change,
        }),
        facetField({
          label: texts.type,
          name: 'type',
          facet: facets?.type,
          value: filters.type,
          nameOf: (type) =>
            Object.hasOwn(strainTypes, type) ? strainTypes[type as keyof typeof strainTypes] : type,
          change,
        }),
        facetField({
          label: texts.feelings,
          name: 'feelings',
          facet: facets?.feelings,
          value: filters.feelings,
          change,
        }),
        facetField({
          label: texts.helpsWith,
          name: 'helpsWith',
          facet: facets?.helpsWith,
          value: filters.helpsWith,
          change,
        }),
        facetField({
          label: texts.flavour,
          name: 'flavour',
          facet: facets?.flavour,
          value: filters.flavour,
          change,
        }),
        rangeField({
          label: texts.thcIn,
          names: ['thcMin', 'thcMax'],
          values: [filters.thcMin, filters.thcMax],
          hints: [hintOf(facets?.thc.min), hintOf(facets?.thc.max)],
          change,
        }),
        rangeField({
          label: texts.price,
          names: ['priceMin', 'priceMax'],
          values: [filters.priceMin, filters.priceMax],
          hints: [hintOf(facets?.price.min), hintOf(facets?.price.max)],
          obstacle: filters.countryCode === undefined ? texts.inCountry : undefined,
          change,
        }),
      ]}
    />
  );
}
