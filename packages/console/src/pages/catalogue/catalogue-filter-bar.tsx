import type { StrainFacets } from '@keyfront/sdk';
import { Select } from '@mantine/core';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { RangeFilter } from '../../filters/range-filter.tsx';
import { SearchField } from '../../filters/search-field.tsx';
import { formatNumber } from '../../format/format-number.ts';
import {
  availabilities,
  type CatalogueFilters,
  readCatalogueFilters,
  strainTypes,
} from './catalogue-filters.ts';
import { FacetFilter } from './facet-filter.tsx';
import { SortSelect } from './sort-select.tsx';
import { useCountries } from './use-countries.ts';
import { usePlanetChoices } from './use-planet-choices.ts';

interface CatalogueFilterBarProps {
  readonly filters: CatalogueFilters;
  /** What the filters leave. Undefined while it is loaded. */
  readonly facets: StrainFacets | undefined;
  readonly onChange: (filters: CatalogueFilters) => void;
}

/** The filters of the catalogue, with how many strains each would leave. */
export function CatalogueFilterBar({ filters, facets, onChange }: CatalogueFilterBarProps) {
  const countries = useCountries();
  const planets = usePlanetChoices();
  const change = (changed: Record<string, string | null>) =>
    onChange(readCatalogueFilters({ ...filters, ...changed }));
  const { orderBy, ...filtering } = filters;
  const hasCountry = filters.countryCode !== undefined;
  const hintOf = (limit: number | null | undefined) => (limit == null ? '' : formatNumber(limit));
  return (
    <FilterBar
      isFiltered={Object.keys(filtering).length > 0}
      onClear={() => onChange(orderBy ? { orderBy } : {})}
      search={
        <SearchField
          value={filters.search ?? ''}
          placeholder="Name or description"
          onChange={(search) => change({ search })}
        />
      }
    >
      <Select
        label="Country"
        placeholder="All"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear country' }}
        searchable
        value={filters.countryCode ?? null}
        onChange={(countryCode) => change({ countryCode })}
        data={countries}
      />
      <ChoiceFilter
        label="Planet"
        choices={planets}
        value={filters.planet}
        onChange={(planet) => change({ planet })}
      />
      <ChoiceFilter
        label="Availability"
        choices={availabilities}
        value={filters.isAvailable}
        onChange={(isAvailable) => change({ isAvailable })}
      />
      <FacetFilter
        label="Type"
        facet={facets?.type}
        value={filters.type}
        nameOf={(type) =>
          Object.hasOwn(strainTypes, type) ? strainTypes[type as keyof typeof strainTypes] : type
        }
        onChange={(type) => change({ type })}
      />
      <FacetFilter
        label="Feelings"
        facet={facets?.feelings}
        value={filters.feelings}
        onChange={(feelings) => change({ feelings })}
      />
      <FacetFilter
        label="Helps with"
        facet={facets?.helpsWith}
        value={filters.helpsWith}
        onChange={(helpsWith) => change({ helpsWith })}
      />
      <FacetFilter
        label="Flavour"
        facet={facets?.flavour}
        value={filters.flavour}
        onChange={(flavour) => change({ flavour })}
      />
      <RangeFilter
        label="THC in %"
        min={filters.thcMin}
        max={filters.thcMax}
        hints={[hintOf(facets?.thc.min), hintOf(facets?.thc.max)]}
        onMin={(thcMin) => change({ thcMin })}
        onMax={(thcMax) => change({ thcMax })}
      />
      <RangeFilter
        label={hasCountry ? 'Price' : 'Price in a country'}
        min={filters.priceMin}
        max={filters.priceMax}
        hints={hasCountry ? [hintOf(facets?.price.min), hintOf(facets?.price.max)] : ['', '']}
        isDisabled={!hasCountry}
        onMin={(priceMin) => change({ priceMin })}
        onMax={(priceMax) => change({ priceMax })}
      />
      <SortSelect value={orderBy} onChange={(sort) => change({ orderBy: sort })} />
    </FilterBar>
  );
}
