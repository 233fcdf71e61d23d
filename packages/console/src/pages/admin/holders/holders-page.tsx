import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListPanel } from '../../../components/list-panel.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { FilterBar } from '../../../filters/filter-bar.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { SearchField } from '../../../filters/search-field.tsx';
import { cursorPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-holders.ts';
import { type HolderFilters, readHolderFilters, readHolderSearch } from './holder-filters.ts';
import { HolderTable } from './holder-table.tsx';

const pageSize = 25;

/** The wallets that own or have owned a digital key. */
export function HoldersPage() {
  const filters = useSearch({ from: '/shell/admin/holders' });
  const navigate = useNavigate();
  const setFilters = (next: HolderFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/holders', search: next, ...filterEntry(typedFilter) });
  const { search = '' } = filters;
  const filter = readHolderSearch(search);
  const query = useInfiniteQuery({
    queryKey: ['admin', 'holders', filter],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.holders.list(
        { ...filter, take: pageSize, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    ...cursorPages,
    enabled: filter !== null,
    placeholderData: keepPreviousData,
  });
  const holders = filter === null ? [] : query.data?.pages.flatMap((page) => page.holders);
  const clear = () => setFilters({});
  return (
    <>
      <PageHeader title={texts.holders} description={texts.everyWalletThatOwnsOrHas} />
      <FilterBar
        isFiltered={search !== ''}
        clearLabel={texts.clearSearch}
        onClear={clear}
        search={
          <SearchField
            value={search}
            placeholder={texts.walletAddressOrDigitalKey}
            onChange={(text) => setFilters(readHolderFilters({ search: text }), 'search')}
          />
        }
      />
      <ListPanel
        query={query}
        rows={holders}
        errorTitle={texts.holdersCouldNotBeLoaded}
        empty={
          <EmptyState
            icon="holders"
            title={search === '' ? texts.noHoldersYet : texts.noHolderMatches}
            action={
              search !== '' && (
                <Button variant="default" onClick={clear}>
                  {texts.clearSearch}
                </Button>
              )
            }
          >
            {search === '' ? texts.walletAppearsHereAsSoonAs : texts.enterAddressOfWalletOrIts}
          </EmptyState>
        }
      >
        <HolderTable holders={holders} />
      </ListPanel>
    </>
  );
}
