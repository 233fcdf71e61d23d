import type { AdminOrder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { ToneBadge } from '../../../components/status-badge.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { namePayment } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { summariseOrder } from '../../orders/order-state.ts';
import type { SummaryProps } from '../queue/queue-kind.ts';
import classes from './order-summary.module.css';

/** An order in the queue. The panel beside it has the states that it can be moved to. */
export function OrderSummary({ row: order, tabIndex }: SummaryProps<AdminOrder>) {
  return (
    <div className={classes.order}>
      <div className={classes.words}>
        <RowLink to={`/admin/orders/${order.id}`} list="/admin/orders" tabIndex={tabIndex}>
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
            {texts.note}
            <bdi>{order.rejectionNote}</bdi>
          </Text>
        )}
      </div>
      <div className={classes.states}>
        <ToneBadge {...summariseOrder(order)} />
      </div>
      <span className={classes.amount}>
        {formatMoney(order.totalAmount, order.currency)}
        <span className={classes.payment}>{namePayment(order.paymentStatus)}</span>
      </span>
    </div>
  );
}
