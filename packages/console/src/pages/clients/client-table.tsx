import type { Client } from '@keyfront/sdk';
import { type Column, DataTable, type Sorting } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { nameCountry } from '../../format/countries.ts';
import { fullName } from '../../format/full-name.ts';
import { approvalNames } from '../../format/state-names.ts';
import { texts } from '../../texts/clients.ts';

const columns: readonly Column<Client>[] = [
  {
    title: texts.name,
    render: (client) => (
      <RowLink to={`/clients/${client.id}`} list="/clients">
        <bdi>{fullName(client)}</bdi>
      </RowLink>
    ),
  },
  { title: texts.eMail, render: ({ email }) => email, hiddenBelow: 'narrow' },
  {
    title: texts.country,
    render: ({ shipping }) => shipping.country || nameCountry(shipping.countryCode),
    hiddenBelow: 'medium',
  },
  {
    title: texts.approval,
    render: ({ adminApproval }) => <StatusBadge state={adminApproval} label={approvalNames[adminApproval]} />,
  },
  {
    title: texts.identity,
    render: ({ kycStatus }) => <StatusBadge state={kycStatus} />,
    hiddenBelow: 'narrow',
  },
  {
    title: texts.status,
    render: ({ isActive }) => <StatusBadge state={isActive ? 'ACTIVE' : 'INACTIVE'} />,
    hiddenBelow: 'medium',
  },
  {
    title: texts.addedAt,
    render: ({ createdAt }) => <Moment time={createdAt} />,
    hiddenBelow: 'medium',
    sort: { ascending: 'asc', descending: 'desc', first: 'descending' },
  },
];

interface ClientTableProps {
  /** Undefined while they are loaded. */
  readonly clients: readonly Client[] | undefined;
  readonly sorting: Sorting;
}

/** Clients, one per row. */
export function ClientTable({ clients, sorting }: ClientTableProps) {
  return (
    <DataTable
      caption={texts.clients}
      columns={columns}
      rows={clients}
      keyOf={({ id }) => id}
      skeletonRows={12}
      isLinked
      sorting={sorting}
    />
  );
}
