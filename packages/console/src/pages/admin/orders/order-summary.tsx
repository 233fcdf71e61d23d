import type { AdminOrder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { OrderStates } from './order-states.tsx';
import classes from './order-summary.module.css';

/** An order in the queue, with the states that it can be moved to. */
export function OrderSummary({ order }: { readonly order: AdminOrder }) {
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
        <OrderStates order={order} />
      </div>
      <span className={classes.amount}>
        {formatMoney(order.totalAmount, order.currency)}
        {order.refundDue > 0 && <span className={classes.due}>Refund due</span>}
      </span>
    </div>
  );
}
