import type { OrderDetails } from '@keyfront/sdk';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';
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
    onSuccess: () => showSuccess(`${order.invoiceNumber} is cancelled`),
    onError: (error, _nothing, before) => {
      queryClient.setQueryData(queryKey, before);
      showFailure('The order was not cancelled', error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['orders'] }),
  });
  if (!canCancel(order)) return null;
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        Cancel order
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title={`Cancel ${order.invoiceNumber}?`}>
        <Text size="sm">
          The stock goes back to the catalogue. A cancelled order cannot be opened again; place a new one
          instead.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            Keep it
          </Button>
          <Button color="red.8" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the order
          </Button>
        </Group>
      </Modal>
    </>
  );
}
