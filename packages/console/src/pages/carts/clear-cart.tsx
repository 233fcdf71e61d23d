import type { ClientWithCart } from '@keyfront/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { countOf } from '../../format/count-of.ts';
import { formatMoney } from '../../format/format-money.ts';
import { fullName } from '../../format/full-name.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/carts.ts';

/** Empties the cart of a client, when the visitor has confirmed it. */
export function ClearCart({ client }: { readonly client: ClientWithCart }) {
  const [isAsking, asking] = useDisclosure();
  const queryClient = useQueryClient();
  const name = fullName(client);
  const [cart] = client.clientCart;
  const clear = useSingleMutation({
    mutationFn: () => getKeyfront().carts.emptyOfClient(client.id),
    onSuccess: () => showSuccess(texts.cartOfNameIsEmpty(name)),
    onError: (error) => showFailure(texts.cartWasNotCleared, error),
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
        aria-label={texts.clearCartOfName(name)}
        onClick={asking.open}
      >
        {texts.clear}
      </Button>
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={
          <>
            {texts.clearCartOf}
            <bdi>{name}</bdi>?
          </>
        }
      >
        <Text size="sm">
          {texts.itHolds}
          {countOf(cart?.totalQuantity, 'unit')}
          {cart?.currency && <>{texts.forSubTotal(formatMoney(cart.subTotal, cart.currency))}</>}
          {texts.clientFindsItEmptyAndIt}
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            {texts.keepIt}
          </Button>
          <Button color="red.8" loading={clear.isPending} onClick={() => clear.mutate()}>
            {texts.clearCart}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
