import type { OrderDetails } from '@keyfront/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/orders.ts';
import { canCancel } from './can-cancel.ts';

/** Cancels an order that nobody has worked on. */
export function CancelOrder({ order }: { readonly order: OrderDetails }) {
  const [isAsking, asking] = useDisclosure();
  const queryClient = useQueryClient();
  const queryKey = ['orders', 'one', order.id];
  const cancel = useSingleMutation({
    mutationFn: () => getKeyfront().orders.cancel(order.id),
    // Shown at once, and taken back with the reason if the service refuses.
    onMutate: async () => {
      asking.close();
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<OrderDetails>(queryKey, { ...order, orderStatus: 'CANCELLED' });
      // By the time of an error, `order` is the cancelled one.
      return order;
    },
    onSuccess: () => showSuccess(texts.invoiceNumberIsCancelled(order.invoiceNumber)),
    onError: (error, _nothing, before) => {
      queryClient.setQueryData(queryKey, before);
      showFailure(texts.orderWasNotCancelled, error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['orders'] }),
  });
  if (!canCancel(order)) return null;
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {texts.cancelOrder}
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title={texts.cancelInvoiceNumber(order.invoiceNumber)}>
        <Text size="sm">{texts.stockGoesBackToCatalogueA}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            {texts.keepIt}
          </Button>
          <Button color="red.8" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancelTheOrder}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
