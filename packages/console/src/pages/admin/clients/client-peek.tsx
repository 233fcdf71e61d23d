import type { AdminClientDetails } from '@keyfront/sdk';
import { RejectionNote } from '../../../components/rejection-note.tsx';
import { texts } from '../../../texts/admin-clients.ts';
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
          <strong>{texts.rejected}</strong> <bdi>{client.rejectionNote}</bdi>
        </RejectionNote>
      )}
      <ClientFacts client={client} />
      <ClientChecks client={client} />
      <ClientAddresses client={client} />
      <OtherOrders title={texts.orders} orders={client.orders} empty={texts.thisClientHasNotOrderedYet} />
      <ClientHistory history={client.history} />
    </>
  );
}
