import type { AdminOrder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { nameApproval, nameOrder, namePayment } from '../../../format/state-names.ts';
import classes from './order-summary.module.css';

/** An order in the queue. The panel beside it has the states that it can be moved to. */
export function OrderSummary({ row: order }: { readonly row: AdminOrder }) {
  const { orderStatus, paymentStatus, adminApproval } = order;
  // One that was cancelled before its decision waits for none.
  const isDecided = orderStatus !== 'CANCELLED' || adminApproval !== 'PENDING';
  return (
    <div className={classes.order}>
      <div className={classes.words}>
        <RowLink to={`/admin/orders/${order.id}`} list="/admin/orders">
          <span className="tabular">{order.invoiceNumber}</span>
        </RowLink>
        <Text size="xs" c="dimmed" truncate>
          <bdi>{fullName(order.client)}</bdi> · #{order.nft.tokenId} ·{' '}
          <Moment time={order.createdAt} isRelative />
          {order.externalReference && (
            <>
              {' '}
              · <bdi>{order.externalReference}</bdi>
            </>
          )}
        </Text>
        {order.rejectionNote && (
          <Text size="xs" c="dimmed" truncate>
            Note: <bdi>{order.rejectionNote}</bdi>
          </Text>
        )}
      </div>
      <div className={classes.states}>
        {isDecided && <StatusBadge state={adminApproval} label={nameApproval(adminApproval)} />}
        <StatusBadge state={orderStatus} label={nameOrder(orderStatus)} />
        <StatusBadge state={paymentStatus} label={namePayment(paymentStatus)} />
      </div>
      <span className={classes.amount}>
        {formatMoney(order.totalAmount, order.currency)}
        {order.refundDue > 0 && <span className={classes.due}>Refund due</span>}
      </span>
    </div>
  );
}
