import type { AdminOrder, AdminOrderChange } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showFailure } from '../../../components/toasts.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import {
  nameApproval,
  nameOrder,
  namePayment,
  orderNames,
  paymentNames,
} from '../../../format/state-names.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { orderMovesOf, paymentMovesOf } from './order-moves.ts';
import classes from './order-summary.module.css';
import { StateMenu } from './state-menu.tsx';

/** An order in the queue, with the states that it can be moved to. */
export function OrderSummary({ order }: { readonly order: AdminOrder }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (fields: AdminOrderChange) => getKeyfront().admin.orders.update(order.id, fields),
    onError: (error) => showFailure(`${order.invoiceNumber} was not changed`, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  // Shown at once. When the list is loaded again, it says what the service has made of it.
  const pending = change.isPending ? change.variables : {};
  const states = { ...order, ...pending };
  const { orderStatus, paymentStatus } = states;
  return (
    <div className={classes.order}>
      <div className={classes.words}>
        <Text size="sm" fw={600} className="tabular">
          {order.invoiceNumber}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          <bdi>{fullName(order.client)}</bdi> · #{order.nft.tokenId} ·{' '}
          <Moment time={order.createdAt} isRelative />
        </Text>
        {order.rejectionNote && (
          <Text size="xs" c="dimmed" truncate>
            Note: <bdi>{order.rejectionNote}</bdi>
          </Text>
        )}
      </div>
      <div className={classes.states}>
        <StatusBadge state={order.adminApproval} label={nameApproval(order.adminApproval)} />
        <StateMenu
          title="Change the order to"
          label={nameOrder(orderStatus)}
          names={orderNames}
          state={orderStatus}
          moves={orderMovesOf(states)}
          onMove={(state) => change.mutate({ orderStatus: state })}
        />
        <StateMenu
          title="Change the payment to"
          label={namePayment(paymentStatus)}
          names={paymentNames}
          state={paymentStatus}
          moves={paymentMovesOf(states)}
          onMove={(state) => change.mutate({ paymentStatus: state })}
        />
      </div>
      <span className={classes.amount}>{formatMoney(order.totalAmount, order.currency)}</span>
    </div>
  );
}
