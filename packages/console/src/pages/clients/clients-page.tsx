import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useRequestedForm } from '../../components/use-requested-form.ts';
import { ClearFilters } from '../../filters/clear-filters.tsx';
import { filterEntry } from '../../filters/filter-entry.ts';
import { countOf } from '../../format/count-of.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';
import { ClientFilterBar } from './client-filter-bar.tsx';
import { type ClientFilters, readClientFilters } from './client-filters.ts';
import { ClientFormDrawer, clientDraft } from './client-form-drawer.tsx';
import { ClientTable } from './client-table.tsx';

const pageSize = 25;

/** The people that the storefront sells to. */
export function ClientsPage() {
  const filters = useSearch({ from: '/shell/clients' });
  const navigate = useNavigate();
  const [isAdding, adding] = useDisclosure(readDraft(clientDraft()) !== null);
  useRequestedForm(adding.open);
  const setFilters = (next: ClientFilters, typedFilter?: string) =>
    void navigate({ to: '/clients', search: next, ...filterEntry(typedFilter) });
  const query = useInfiniteQuery({
    queryKey: ['clients', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().clients.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const clients = query.data?.pages.flatMap((page) => page.clients);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  const isFiltered = Object.keys(filters).length > 0;
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {texts.addClientButton}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.clients} description={countOf(count, 'client')} actions={add} />
      <ClientFilterBar
        list="/clients"
        filters={filters}
        readFilters={readClientFilters}
        onChange={setFilters}
      />
      <ListPanel
        query={query}
        rows={clients}
        errorTitle={texts.clientsCouldNotBeLoaded}
        empty={
          <EmptyState
            icon="clients"
            title={isFiltered ? texts.noClientMatches : texts.noClientsYet}
            action={
              isFiltered ? (
                <ClearFilters filters={filters} readFilters={readClientFilters} onChange={setFilters} />
              ) : (
                add
              )
            }
          >
            {isFiltered ? texts.changeOrClearFiltersToSee : texts.addFirstOneHereOrLet}
          </EmptyState>
        }
      >
        <ClientTable
          clients={clients}
          sorting={{
            value: filters.orderBy ?? 'desc',
            onChange: (orderBy) => setFilters(readClientFilters({ ...filters, orderBy })),
          }}
        />
      </ListPanel>
      <ClientFormDrawer
        isOpen={isAdding}
        onClose={adding.close}
        onSaved={(id) => void navigate({ to: '/clients/$clientId', params: { clientId: id } })}
      />
    </>
  );
}
