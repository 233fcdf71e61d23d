import type { AdminClientDetails } from '@keyfront/sdk';
import { RejectionNote } from '../../../components/rejection-note.tsx';
import { OtherOrders } from '../orders/other-orders.tsx';
import { ClientChecks } from './client-checks.tsx';
import { ClientAddresses, ClientFacts } from './client-facts.tsx';
import { ClientHistory } from './client-history.tsx';

/** What a decision about a client needs, beside the queue. */
export function ClientPeek({ details: client }: { readonly details: AdminClientDetails }) {
  return (
    <>
      {client.rejectionNote && (
        <RejectionNote>
          <strong>Rejected:</strong> <bdi>{client.rejectionNote}</bdi>
        </RejectionNote>
      )}
      <ClientFacts client={client} />
      <ClientChecks client={client} />
      <ClientAddresses client={client} />
      <OtherOrders title="Orders" orders={client.orders} empty="This client has not ordered yet." />
      <ClientHistory history={client.history} />
    </>
  );
}
