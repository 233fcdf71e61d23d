import type { AdminClient } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { nameCountry } from '../../../format/countries.ts';
import { fullName } from '../../../format/full-name.ts';
import { nameApproval } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-clients.ts';
import classes from '../orders/order-summary.module.css';
import type { SummaryProps } from '../queue/queue-kind.ts';

/** A client in the queue. */
export function ClientSummaryRow({ row: client, tabIndex }: SummaryProps<AdminClient>) {
  return (
    <div className={classes.order}>
      <div className={classes.words}>
        <RowLink to={`/admin/clients/${client.id}`} list="/admin/clients" tabIndex={tabIndex}>
          <bdi>{fullName(client)}</bdi>
        </RowLink>
        <Text size="xs" c="dimmed" truncate>
          {client.email} · #{client.nft.tokenId} ·{' '}
          {client.shipping.country || nameCountry(client.shipping.countryCode) || texts.noAddress} ·{' '}
          <Moment time={client.createdAt} isRelative />
        </Text>
        {client.rejectionNote && (
          <Text size="xs" c="dimmed" truncate>
            {texts.note}
            <bdi>{client.rejectionNote}</bdi>
          </Text>
        )}
      </div>
      <div className={classes.states}>
        <StatusBadge state={client.adminApproval} label={nameApproval(client.adminApproval)} />
        {client.isKYCVerified ? (
          <StatusBadge state="VERIFIED" label={texts.identityVerified} />
        ) : (
          <StatusBadge state={client.kycStatus} label={texts.identityNotVerified} />
        )}
        {client.isActive ? <StatusBadge state="ACTIVE" /> : <StatusBadge state="INACTIVE" />}
      </div>
    </div>
  );
}
