import type { AdminOrderDetails } from '@keyfront/sdk';
import { Link } from '@tanstack/react-router';
import { FactList } from '../../../components/fact-list.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Panel } from '../../../components/panel.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { fullName } from '../../../format/full-name.ts';
import { approvalNames } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { DeliveryText } from '../../orders/delivery-text.tsx';
import classes from '../../orders/order-page.module.css';

/** Who has ordered, whether they may, and where it goes. */
export function OrderClient({ order }: { readonly order: AdminOrderDetails }) {
  const { client } = order;
  return (
    <Panel title={texts.client}>
      <FactList
        facts={{
          Name: (
            <Link to="/admin/clients/$clientId" params={{ clientId: client.id }} className={classes.client}>
              {fullName(client)}
            </Link>
          ),
          'E-mail': client.email,
          Approval: <StatusBadge state={client.adminApproval} label={approvalNames[client.adminApproval]} />,
          Identity: <StatusBadge state={client.kycStatus} />,
          Status: client.isActive ? 'Active' : 'Inactive',
          'Known since': <Moment time={client.createdAt} />,
        }}
      />
      <DeliveryText order={order} />
    </Panel>
  );
}
