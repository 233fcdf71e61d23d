import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { fullName } from '../../../format/full-name.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { ClientFilterBar } from '../../clients/client-filter-bar.tsx';
import type { ClientFilters } from '../../clients/client-filters.ts';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { ClientSummaryRow } from './client-summary-row.tsx';

const pageSize = 25;
const refreshMs = 5_000;

/** The clients of the platform, those that wait for a decision first. */
export function AdminClientsPage() {
  const filters = useSearch({ from: '/shell/admin/clients' });
  const navigate = useNavigate();
  const setFilters = (next: ClientFilters) =>
    void navigate({ to: '/admin/clients', search: next, replace: true });
  const query = useInfiniteQuery({
    queryKey: ['admin', 'clients', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.clients.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pageMetaDto }) => (pageMetaDto.hasNextPage ? pageMetaDto.page + 1 : null),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader
        title="Clients"
        description={
          count === undefined ? ' ' : `${count.toLocaleString()} ${count === 1 ? 'client' : 'clients'}`
        }
        actions={
          <SegmentedControl
            aria-label="Which clients"
            value={filters.adminApproval ?? 'ALL'}
            onChange={(value) => {
              const { adminApproval: _adminApproval, ...others } = filters;
              setFilters(
                value === 'ALL' ? others : { ...others, adminApproval: value as 'PENDING' | 'VERIFIED' },
              );
            }}
            data={[
              { value: 'PENDING', label: 'To decide' },
              { value: 'VERIFIED', label: 'Approved' },
              { value: 'ALL', label: 'All' },
            ]}
          />
        }
      />
      <ClientFilterBar filters={filters} onChange={setFilters} />
      <QueuePanel
        query={query}
        rows={query.data?.pages.flatMap(({ clients }) => clients)}
        noun="client"
        icon="clients"
        keyOf={({ id }) => id}
        labelOf={fullName}
        render={(client) => <ClientSummaryRow client={client} />}
        decide={({ id }, decision) => getKeyfront().admin.clients.update(id, decision)}
      />
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        onLoad={() => void query.fetchNextPage()}
      />
    </>
  );
}
