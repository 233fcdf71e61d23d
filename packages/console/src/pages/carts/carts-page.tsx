import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { SearchField } from '../../filters/search-field.tsx';
import { countOf } from '../../format/count-of.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/carts.ts';
import { type CartFilters, readCartFilters } from './cart-filters.ts';
import { CartTable } from './cart-table.tsx';

const pageSize = 25;
/** No event tells that a client has put something into a cart. Each page that was loaded is loaded again. */
const refreshMs = 15_000;

/** What the clients have chosen and not ordered yet. */
export function CartsPage() {
  const filters = useSearch({ from: '/shell/carts' });
  const navigate = useNavigate();
  const setFilters = (next: CartFilters) => void navigate({ to: '/carts', search: next, replace: true });
  const query = useInfiniteQuery({
    queryKey: ['carts', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().carts.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshMs * (state.data?.pages.length ?? 1),
  });
  const clients = query.data?.pages.flatMap((page) => page.clients);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  const isFiltered = filters.search !== undefined;
  return (
    <>
      <PageHeader title={texts.carts} description={countOf(count, 'cart')} />
      <FilterBar
        isFiltered={isFiltered}
        clearLabel={texts.clearSearch}
        onClear={() => setFilters({})}
        search={
          <SearchField
            placeholder={texts.nameOrEMail}
            value={filters.search ?? ''}
            onChange={(search) => setFilters(readCartFilters({ search }))}
          />
        }
      />
      <ListPanel
        query={query}
        rows={clients}
        errorTitle={texts.cartsCouldNotBeLoaded}
        empty={
          isFiltered ? (
            <EmptyState
              icon="cart"
              title={texts.noCartMatches}
              action={
                <Button variant="default" onClick={() => setFilters({})}>
                  {texts.clearSearch}
                </Button>
              }
            >
              {texts.onlyCartsThatHoldSomethingAre}
            </EmptyState>
          ) : (
            <EmptyState icon="cart" title={texts.allCartsAreEmpty}>
              {texts.whatClientPutsIntoCartOf}
            </EmptyState>
          )
        }
      >
        <CartTable clients={clients} />
      </ListPanel>
    </>
  );
}
