import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ClearFilters } from '../../filters/clear-filters.tsx';
import { filterEntry } from '../../filters/filter-entry.ts';
import { countOf } from '../../format/count-of.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/catalogue.ts';
import { CatalogueFilterBar } from './catalogue-filter-bar.tsx';
import { type CatalogueFilters, readCatalogueFilters } from './catalogue-filters.ts';
import { StrainGrid } from './strain-grid.tsx';

const pageSize = 24;

/** What can be sold, by country. */
export function CataloguePage() {
  const filters = useSearch({ from: '/shell/catalogue' });
  const navigate = useNavigate();
  const setFilters = (next: CatalogueFilters, typedFilter?: string) =>
    void navigate({ to: '/catalogue', search: next, ...filterEntry(typedFilter) });
  const query = useInfiniteQuery({
    queryKey: ['strains', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().strains.list(
        {
          ...filters,
          take: pageSize,
          page: pageParam,
          // They are the same for every page.
          ...(pageParam === 1 ? { facets: 'true' as const } : {}),
        },
        { signal },
      ),
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const strains = query.data?.pages.flatMap((page) => page.strains);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader title={texts.catalogue} description={countOf(count, 'strain')} />
      <CatalogueFilterBar filters={filters} facets={query.data?.pages[0]?.facets} onChange={setFilters} />
      {query.error && !strains ? (
        <ErrorNotice
          title={texts.catalogueCouldNotBeLoaded}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : strains?.length === 0 ? (
        <EmptyState
          icon="catalogue"
          title={texts.noStrainMatches}
          action={<ClearFilters filters={filters} readFilters={readCatalogueFilters} onChange={setFilters} />}
        >
          {texts.changeOrClearFiltersToSee}
        </EmptyState>
      ) : (
        <StrainGrid strains={strains} />
      )}
      <LoadMore query={query} />
    </>
  );
}
