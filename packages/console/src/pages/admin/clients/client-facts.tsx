import type { AdminClient } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { AddressText } from '../../../components/address-text.tsx';
import { FactList } from '../../../components/fact-list.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Panel } from '../../../components/panel.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { approvalNames } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-clients.ts';

/** Who the client is. */
export function ClientFacts({ client }: { readonly client: AdminClient }) {
  const [business] = client.clientBusinesses;
  return (
    <Panel title={texts.client}>
      <FactList
        facts={{
          Approval: <StatusBadge state={client.adminApproval} label={approvalNames[client.adminApproval]} />,
          'E-mail': client.email,
          Phone: `${client.phoneCode} ${client.contactNumber}`.trim(),
          'Digital key': `#${client.nft.tokenId}`,
          Reference: client.externalReference,
          'Buys for': business?.name ?? '',
          'Known since': <Moment time={client.createdAt} />,
        }}
      />
    </Panel>
  );
}

/** Where the orders of a client go. */
export function ClientAddresses({ client }: { readonly client: AdminClient }) {
  return (
    <Panel title={texts.addresses}>
      {client.shippings.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noneYetAClientNeedsAddress}
        </Text>
      )}
      {client.shippings.map((address) => (
        <AddressText key={JSON.stringify(address)} address={address} />
      ))}
    </Panel>
  );
}
