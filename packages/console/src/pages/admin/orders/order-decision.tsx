import type { AdminOrderDetails } from '@keyfront/sdk';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure, showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { type Decision, decideAll } from '../queue/decision.ts';
import { RejectModal } from '../queue/reject-modal.tsx';
import { canDecide, rejectionTexts } from './order-moves.ts';

/** Approves or rejects an order, where the service allows it. */
export function OrderDecision({ order }: { readonly order: AdminOrderDetails }) {
  const { id, invoiceNumber, shipments } = order;
  const [isRejecting, rejecting] = useDisclosure();
  const queryClient = useQueryClient();
  const decide = useSingleMutation({
    mutationFn: async (decision: Decision) => {
      const [refusal] = await decideAll([id], decision, (decisions) =>
        getKeyfront().admin.orders.decide(decisions),
      );
      if (refusal) throw new Error(refusal.reason);
    },
    onSuccess: (_nothing, { adminApproval }) =>
      showSuccess(`${invoiceNumber} ${adminApproval === 'VERIFIED' ? 'approved' : 'rejected'}`),
    onError: (error) => showFailure(`${invoiceNumber} not decided`, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  // A rejection cancels the order, which is too late once something was sent.
  const canReject = canDecide(order, 'REJECTED') && shipments.length === 0;
  return (
    <>
      {canDecide(order, 'VERIFIED') && (
        <Button loading={decide.isPending} onClick={() => decide.mutate({ adminApproval: 'VERIFIED' })}>
          Approve
        </Button>
      )}
      {canReject && (
        <Button variant="default" disabled={decide.isPending} onClick={rejecting.open}>
          Reject
        </Button>
      )}
      {isRejecting && (
        <RejectModal
          subject={invoiceNumber}
          {...rejectionTexts}
          onClose={rejecting.close}
          onReject={(note) => {
            rejecting.close();
            decide.mutate({ adminApproval: 'REJECTED', ...(note ? { note } : {}) });
          }}
        />
      )}
    </>
  );
}
