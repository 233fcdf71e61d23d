import type { AdminOrderChange, AdminOrderDetails } from '@keyfront/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showFailure, showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import {
  nameApproval,
  nameOrder,
  namePayment,
  orderNames,
  paymentNames,
} from '../../../format/state-names.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { askBeforeMove, type MoveQuestion } from './move-question.ts';
import { orderMovesOf, paymentMovesOf } from './order-moves.ts';
import { StateMenu } from './state-menu.tsx';

/** The states of an order, with those that they can be moved to. */
export function OrderStates({ order }: { readonly order: AdminOrderDetails }) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<(MoveQuestion & { readonly change: AdminOrderChange }) | null>(null);
  const change = useSingleMutation({
    mutationFn: (fields: AdminOrderChange) => getKeyfront().admin.orders.update(order.id, fields),
    onSuccess: (_order, fields) => showSuccess(describeMove(order.invoiceNumber, fields)),
    onError: (error) => showFailure(texts.invoiceNumberWasNotChanged(order.invoiceNumber), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  const move = (fields: AdminOrderChange) => {
    const question = askBeforeMove(order, fields);
    if (question) setAsked({ ...question, change: fields });
    else change.mutate(fields);
  };
  // Shown at once. When the order is loaded again, it says what the service has made of it.
  const states = { ...order, ...(change.isPending ? change.variables : {}) };
  const { orderStatus, paymentStatus } = states;
  // An order of which a parcel was sent cannot be cancelled. One that was refunded before is not sent any more.
  const isSent = orderStatus === 'SHIPPED' || order.shipments.length > 0;
  const isRefunded = paymentStatus === 'REFUNDED' && !isSent;
  const moves = orderMovesOf(states).filter((to) =>
    to === 'CANCELLED' ? order.shipments.length === 0 : !isRefunded,
  );
  // One that was cancelled before its decision waits for none.
  const isDecided = orderStatus !== 'CANCELLED' || order.adminApproval !== 'PENDING';
  return (
    <>
      {isDecided && <StatusBadge state={order.adminApproval} label={nameApproval(order.adminApproval)} />}
      <StateMenu
        title={texts.changeOrderTo}
        label={nameOrder(orderStatus)}
        names={orderNames}
        state={orderStatus}
        moves={moves}
        onMove={(state) => move({ orderStatus: state })}
      />
      <StateMenu
        title={texts.changePaymentTo}
        label={namePayment(paymentStatus)}
        names={paymentNames}
        state={paymentStatus}
        moves={paymentMovesOf(states)}
        onMove={(state) => move({ paymentStatus: state })}
      />
      {asked && (
        <ConfirmModal
          title={asked.title}
          confirmLabel={asked.confirmLabel}
          onClose={() => setAsked(null)}
          onConfirm={() => change.mutate(asked.change)}
        >
          <bdi>{asked.effect}</bdi>
        </ConfirmModal>
      )}
    </>
  );
}

/** What a move has done, in the words of the menus. */
function describeMove(invoiceNumber: string, { orderStatus, paymentStatus }: AdminOrderChange): string {
  if (orderStatus) return texts.invoiceNumberIsNow(invoiceNumber, nameOrder(orderStatus));
  return texts.invoiceNumberIsNow(invoiceNumber, namePayment(paymentStatus ?? 'PENDING'));
}
