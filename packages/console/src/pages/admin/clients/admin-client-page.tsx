import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RejectionNote } from '../../../components/rejection-note.tsx';
import { ResourceError } from '../../../components/resource-error.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { fullName } from '../../../format/full-name.ts';
import { nameApproval } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-clients.ts';
import classes from '../../orders/order-page.module.css';
import { OtherOrders } from '../orders/other-orders.tsx';
import { DecisionButtons } from '../queue/decision-buttons.tsx';
import { adminClientQuery } from './admin-client-query.ts';
import { ClientChecks } from './client-checks.tsx';
import { ClientAddresses, ClientFacts } from './client-facts.tsx';
import { ClientHistory } from './client-history.tsx';
import { clientQueue } from './client-queue.ts';

const refreshMs = 5_000;
/** As many as the service sends with a client. */
const shownOrders = 10;

/** One client of the platform, with everything that a decision needs. */
export function AdminClientPage() {
  const { clientId } = useParams({ from: '/shell/admin/clients/$clientId' });
  const {
    data: client,
    error,
    refetch,
  } = useQuery({ ...adminClientQuery(clientId), refetchInterval: refreshMs });
  if (error && !client) {
    return (
      <>
        <BackLink to="/admin/clients">{texts.clients}</BackLink>
        <ResourceError noun="client" id={clientId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!client) return <Skeleton height={420} />;
  return (
    <>
      <BackLink to="/admin/clients">{texts.clients}</BackLink>
      <PageHeader
        title={fullName(client)}
        description={
          <Group gap={8}>
            <StatusBadge state={client.adminApproval} label={nameApproval(client.adminApproval)} />
            <StatusBadge state={client.isActive ? 'ACTIVE' : 'INACTIVE'} />
            <Text size="sm" c="dimmed">
              #{client.nft.tokenId} · <Moment time={client.createdAt} />
            </Text>
          </Group>
        }
        actions={<DecisionButtons kind={clientQueue} row={client} />}
      />
      {client.rejectionNote && (
        <RejectionNote>
          <strong>{texts.rejected}</strong> <bdi>{client.rejectionNote}</bdi>
        </RejectionNote>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <OtherOrders title={texts.orders} orders={client.orders} empty={texts.thisClientHasNotOrderedYet} />
          {client.orders.length >= shownOrders && (
            <Link to="/admin/orders" search={{ clientId }} className={classes.client}>
              {texts.allOrdersOfClient(fullName(client))}
            </Link>
          )}
          <ClientHistory history={client.history} />
        </div>
        <div className={classes.column}>
          <ClientFacts client={client} />
          <ClientChecks client={client} />
          <ClientAddresses client={client} />
        </div>
      </div>
    </>
  );
}
