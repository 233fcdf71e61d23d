import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { tokenField } from '../../../filters/fields.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { countOf } from '../../../format/count-of.ts';
import { fullName } from '../../../format/full-name.ts';
import { numberedPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { ClientFilterBar } from '../../clients/client-filter-bar.tsx';
import { ApprovalFilter } from '../queue/approval-filter.tsx';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { type AdminClientFilters, readAdminClientFilters } from './admin-client-filters.ts';
import { ClientSummaryRow } from './client-summary-row.tsx';

const clientChoices = {
  PENDING: { adminApproval: 'PENDING' },
  VERIFIED: { adminApproval: 'VERIFIED' },
  REJECTED: { adminApproval: 'REJECTED' },
} as const;
const pageSize = 25;
const refreshMs = 5_000;

/** The clients of the platform, those that wait for a decision first. */
export function AdminClientsPage() {
  const filters = useSearch({ from: '/shell/admin/clients' });
  const navigate = useNavigate();
  const setFilters = (next: AdminClientFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/clients', search: next, ...filterEntry(typedFilter) });
  const query = useInfiniteQuery({
    queryKey: ['admin', 'clients', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.clients.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader
        title="Clients"
        description={countOf(count, 'client')}
        actions={
          <ApprovalFilter
            label="Which clients"
            choices={clientChoices}
            filters={filters}
            onChange={setFilters}
          />
        }
      />
      <ClientFilterBar
        list="/admin/clients"
        filters={filters}
        readFilters={readAdminClientFilters}
        onChange={setFilters}
        moreFields={(change) => [tokenField(filters.tokenId, change)]}
      />
      <QueuePanel
        query={query}
        rows={query.data?.pages.flatMap(({ clients }) => clients)}
        noun="client"
        isQueue={filters.adminApproval === 'PENDING' && Object.keys(filters).length === 1}
        onClearFilters={() => setFilters({})}
        icon="clients"
        keyOf={({ id }) => id}
        labelOf={fullName}
        render={(client) => <ClientSummaryRow client={client} />}
        canDecide={({ adminApproval }, decision) => adminApproval !== decision}
        decide={(decisions) => getKeyfront().admin.clients.decide(decisions)}
        rejectionEffect="No orders can be placed for a rejected client."
        noteReaders="Only administrators read it: holders see that the client is rejected, and not why."
      />
      <LoadMore query={query} />
    </>
  );
}
