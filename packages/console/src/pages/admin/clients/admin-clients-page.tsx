import type { AdminClient } from '@keyfront/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { ClearFilters } from '../../../filters/clear-filters.tsx';
import { tokenField } from '../../../filters/fields.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { countOf } from '../../../format/count-of.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-clients.ts';
import { ClientFilterBar } from '../../clients/client-filter-bar.tsx';
import { ApprovalFilter } from '../queue/approval-filter.tsx';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { type LoadPage, useQueue } from '../queue/use-queue.ts';
import { type AdminClientFilters, readAdminClientFilters } from './admin-client-filters.ts';
import { clientQueue } from './client-queue.ts';

const clientChoices = {
  PENDING: { adminApproval: 'PENDING' },
  VERIFIED: { adminApproval: 'VERIFIED' },
  REJECTED: { adminApproval: 'REJECTED' },
} as const;

/** The clients of the platform, those that wait for a decision first. */
export function AdminClientsPage() {
  const filters = useSearch({ from: '/shell/admin/clients' });
  const navigate = useNavigate();
  const setFilters = (next: AdminClientFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/clients', search: next, ...filterEntry(typedFilter) });
  const load: LoadPage<AdminClient> = useCallback(
    async ({ after, take }, signal) => {
      const page = Number(after || 1);
      const { clients, pageMetaDto } = await getKeyfront().admin.clients.list(
        { ...filters, take, page },
        { signal },
      );
      const { itemCount, hasNextPage } = pageMetaDto;
      return { rows: clients, itemCount, next: hasNextPage ? String(page + 1) : null };
    },
    [filters],
  );
  const queryKey = ['admin', 'clients', filters];
  const queue = useQueue(queryKey, load, 'numbers');
  return (
    <>
      <PageHeader
        title={texts.clients}
        description={countOf(queue.count, 'client')}
        actions={
          <ApprovalFilter
            label={texts.whichClients}
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
        kind={clientQueue}
        queue={queue}
        queryKey={queryKey}
        load={load}
        listedApproval={filters.adminApproval}
        isQueue={filters.adminApproval === 'PENDING' && Object.keys(filters).length === 1}
        clearFilters={
          <ClearFilters filters={filters} readFilters={readAdminClientFilters} onChange={setFilters} />
        }
      />
    </>
  );
}
