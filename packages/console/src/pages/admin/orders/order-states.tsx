import type { AdminOrder, AdminOrderChange, OrderStatus } from '@keyfront/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showFailure } from '../../../components/toasts.tsx';
import {
  nameApproval,
  nameOrder,
  namePayment,
  orderNames,
  paymentNames,
} from '../../../format/state-names.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { orderMovesOf, paymentMovesOf } from './order-moves.ts';
import { StateMenu } from './state-menu.tsx';

interface OrderStatesProps {
  readonly order: Pick<
    AdminOrder,
    'id' | 'invoiceNumber' | 'orderStatus' | 'paymentStatus' | 'adminApproval'
  >;
  /** Whether a parcel was sent, if that is known. Such an order cannot be cancelled. */
  readonly isSent?: boolean;
}

/** The states of an order, with those that they can be moved to. */
export function OrderStates({ order, isSent = false }: OrderStatesProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (fields: AdminOrderChange) => getKeyfront().admin.orders.update(order.id, fields),
    onError: (error) => showFailure(`${order.invoiceNumber} was not changed`, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  // Shown at once. When the order is loaded again, it says what the service has made of it.
  const states = { ...order, ...(change.isPending ? change.variables : {}) };
  const { orderStatus, paymentStatus } = states;
  const isOffered = (status: OrderStatus) => !(isSent && status === 'CANCELLED');
  return (
    <>
      <StatusBadge state={order.adminApproval} label={nameApproval(order.adminApproval)} />
      <StateMenu
        title="Change the order to"
        label={nameOrder(orderStatus)}
        names={orderNames}
        state={orderStatus}
        moves={orderMovesOf(states).filter(isOffered)}
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
    </>
  );
}
