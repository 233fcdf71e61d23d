import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { AddressText } from '../../components/address-text.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { Icon } from '../../components/icon.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { RejectionNote } from '../../components/rejection-note.tsx';
import { ResourceError } from '../../components/resource-error.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { fullName } from '../../format/full-name.ts';
import { nameApproval } from '../../format/state-names.ts';
import { ClientSandbox } from '../../sandbox/client-sandbox.tsx';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';
import { ClientActions } from './client-actions.tsx';
import { ClientFormDrawer, clientDraft } from './client-form-drawer.tsx';
import { ClientOrders } from './client-orders.tsx';
import classes from './client-page.module.css';
import { KycPanel } from './kyc-panel.tsx';
import { MedicalRecordPanel } from './medical-record-panel.tsx';

/** One client: who they are, whether they may order, and what they have ordered. */
export function ClientPage() {
  const { clientId } = useParams({ from: '/shell/clients/$clientId' });
  const [isEditing, editing] = useDisclosure(readDraft(clientDraft(clientId)) !== null);
  const {
    data: client,
    error,
    refetch,
  } = useQuery({
    queryKey: ['clients', 'one', clientId],
    // Health data does not reach the page before somebody says why they need it.
    queryFn: ({ signal }) => getKeyfront().clients.get(clientId, { medicalRecord: 'omit' }, { signal }),
  });
  if (error && !client) {
    return (
      <>
        <BackLink to="/clients">{texts.clients}</BackLink>
        <ResourceError noun="client" id={clientId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!client) return <Skeleton height={420} />;
  const [business] = client.clientBusinesses;
  return (
    <>
      <BackLink to="/clients">{texts.clients}</BackLink>
      <PageHeader
        title={fullName(client)}
        description={
          <Group gap={8}>
            <StatusBadge state={client.adminApproval} label={nameApproval(client.adminApproval)} />
            <StatusBadge state={client.isActive ? 'ACTIVE' : 'INACTIVE'} />
            <Text size="sm" c="dimmed">
              {texts.added}
              <Moment time={client.createdAt} />
            </Text>
          </Group>
        }
        actions={
          <>
            <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={editing.open}>
              {texts.edit}
            </Button>
            <ClientActions client={client} />
          </>
        }
      />
      {client.adminApproval === 'REJECTED' && (
        <RejectionNote>{texts.administratorHasRejectedThisClientNo}</RejectionNote>
      )}
      <div className={classes.columns}>
        <Panel title={texts.contact}>
          <FactList
            facts={{
              'E-mail': client.email,
              Phone: `${client.phoneCode} ${client.contactNumber}`.trim(),
              Reference: client.externalReference,
              Marketing: client.marketingConsent ? 'Agreed' : 'Not agreed',
            }}
          />
        </Panel>
        <Panel title={texts.addresses}>
          {client.shippings.length === 0 && (
            <Text size="sm" c="dimmed">
              {texts.noneYetAClientNeedsAddress}
            </Text>
          )}
          {client.shippings.map((address) => (
            <AddressText key={JSON.stringify(address)} address={address} />
          ))}
          {business && (
            <Text size="sm" mt="md" className={classes.wrap}>
              <strong>{texts.buysFor}</strong> <bdi>{business.name}</bdi>
            </Text>
          )}
        </Panel>
        <ClientSandbox client={client} />
        <KycPanel client={client} />
        <MedicalRecordPanel clientId={client.id} />
      </div>
      <ClientOrders clientId={client.id} />
      <ClientFormDrawer
        isOpen={isEditing}
        client={client}
        onClose={editing.close}
        onSaved={() => undefined}
      />
    </>
  );
}
