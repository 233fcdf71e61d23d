import type { ClientWithCart } from '@keyfront/sdk';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { countOf } from '../../format/count-of.ts';
import { formatMoney } from '../../format/format-money.ts';
import { fullName } from '../../format/full-name.ts';
import { getKeyfront } from '../../session/keyfront.ts';

/** Empties the cart of a client, when the visitor has confirmed it. */
export function ClearCart({ client }: { readonly client: ClientWithCart }) {
  const [isAsking, asking] = useDisclosure();
  const queryClient = useQueryClient();
  const name = fullName(client);
  const [cart] = client.clientCart;
  const clear = useSingleMutation({
    mutationFn: () => getKeyfront().carts.emptyOfClient(client.id),
    onSuccess: () => showSuccess(`The cart of ${name} is empty`),
    onError: (error) => showFailure('The cart was not cleared', error),
    onSettled: async () => {
      asking.close();
      await queryClient.invalidateQueries({ queryKey: ['carts'] });
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Clear the cart of ${name}`}
        onClick={asking.open}
      >
        Clear
      </Button>
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={
          <>
            Clear the cart of <bdi>{name}</bdi>?
          </>
        }
      >
        <Text size="sm">
          It holds {countOf(cart?.totalQuantity, 'unit')}
          {cart?.currency && <> for {formatMoney(cart.subTotal, cart.currency)}</>}. The client finds it
          empty, and it cannot be brought back.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            Keep it
          </Button>
          <Button color="red.8" loading={clear.isPending} onClick={() => clear.mutate()}>
            Clear the cart
          </Button>
        </Group>
      </Modal>
    </>
  );
}
