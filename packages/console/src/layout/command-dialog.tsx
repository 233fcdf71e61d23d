import type { AdminOrder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { DialogForm } from '../components/dialog-form.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Modal } from '../components/modal.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { showSuccess } from '../components/toasts.tsx';
import { useSingleMutation } from '../components/use-single-mutation.ts';
import { formatMoney } from '../format/format-money.ts';
import { fullName } from '../format/full-name.ts';
import { getKeyfront } from '../session/keyfront.ts';
import { texts } from '../texts/layout.ts';
import type { Command } from './commands.ts';

/** Loaded with the first refund, not with the palette. */
const RefundModal = lazy(async () => ({
  default: (await import('../pages/admin/orders/refund-modal.tsx')).RefundModal,
}));

interface CommandDialogProps {
  readonly question: NonNullable<Command['question']>;
  readonly onClose: () => void;
}

/** Asks before a command changes anything. */
export function CommandDialog({ question: { kind, order }, onClose }: CommandDialogProps) {
  return kind === 'refund' ? (
    <RefundOrder order={order} onClose={onClose} />
  ) : (
    <ApproveOrder order={order} onClose={onClose} />
  );
}

interface OrderDialogProps {
  readonly order: AdminOrder;
  readonly onClose: () => void;
}

function RefundOrder({ order, onClose }: OrderDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['admin', 'order', order.id, 'refund'],
    queryFn: ({ signal }) => getKeyfront().admin.orders.get(order.id, { signal }),
    // What is confirmed is what was shown when the dialog was opened.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const waiting = (
    <Modal opened onClose={onClose} title={texts.refundInvoiceNumber(order.invoiceNumber)}>
      {error ? <ErrorNotice title={texts.orderCouldNotBeLoaded} error={error} /> : <Skeleton height={240} />}
    </Modal>
  );
  if (!data) return waiting;
  return (
    <Suspense fallback={waiting}>
      <RefundModal order={data} onClose={onClose} />
    </Suspense>
  );
}

function ApproveOrder({ order, onClose }: OrderDialogProps) {
  const { id, invoiceNumber, client, totalAmount, currency } = order;
  const queryClient = useQueryClient();
  const approve = useSingleMutation({
    mutationFn: () => getKeyfront().admin.orders.update(id, { adminApproval: 'VERIFIED' }),
    onSuccess: () => {
      showSuccess(`${invoiceNumber} approved`);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  return (
    <Modal opened onClose={onClose} title={texts.approveInvoiceNumber(invoiceNumber)}>
      <DialogForm
        submitLabel={texts.approve}
        isPending={approve.isPending}
        onCancel={onClose}
        onSubmit={() => approve.mutate()}
      >
        {approve.error && (
          <ErrorNotice title={texts.invoiceNumberNotApproved(invoiceNumber)} error={approve.error} />
        )}
        <Text size="sm">
          <bdi>{fullName(client)}</bdi>
          {texts.hasOrderedFor}
          {formatMoney(totalAmount, currency)}
          {texts.approvedOrderCanBePaidFor}
        </Text>
      </DialogForm>
    </Modal>
  );
}
