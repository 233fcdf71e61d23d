import { Button, Select } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { SearchField } from '../../filters/search-field.tsx';
import { countOf } from '../../format/count-of.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { type CatalogueFilters, readCatalogueFilters } from './catalogue-filters.ts';
import { StrainGrid } from './strain-grid.tsx';
import { useCountries } from './use-countries.ts';

const pageSize = 24;

/** What can be sold, by country. */
export function CataloguePage() {
  const filters = useSearch({ from: '/shell/catalogue' });
  const navigate = useNavigate();
  const countries = useCountries();
  const { data: planets } = useQuery({
    queryKey: ['planets'],
    queryFn: ({ signal }) => getKeyfront().planets.list({ signal }),
    staleTime: 300_000,
  });
  const setFilters = (next: CatalogueFilters) =>
    void navigate({ to: '/catalogue', search: next, replace: true });
  const change = (changed: Record<string, string | null>) =>
    setFilters(readCatalogueFilters({ ...filters, ...changed }));
  const query = useInfiniteQuery({
    queryKey: ['strains', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().strains.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const strains = query.data?.pages.flatMap((page) => page.strains);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader title="Catalogue" description={countOf(count, 'strain')} />
      <FilterBar
        isFiltered={Object.keys(filters).length > 0}
        onClear={() => setFilters({})}
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
          choices={Object.fromEntries(
            planets?.planets.map(({ number, name }) => [String(number), name]) ?? [],
          )}
          value={filters.planet}
          onChange={(planet) => change({ planet })}
        />
      </FilterBar>
      {query.error && !strains ? (
        <ErrorNotice
          title="The catalogue could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : strains?.length === 0 ? (
        <EmptyState
          icon="catalogue"
          title="No strain matches"
          action={
            <Button variant="default" onClick={() => setFilters({})}>
              Clear filters
            </Button>
          }
        >
          Change or clear the filters to see other strains.
        </EmptyState>
      ) : (
        <StrainGrid strains={strains} />
      )}
      <LoadMore query={query} />
    </>
  );
}
