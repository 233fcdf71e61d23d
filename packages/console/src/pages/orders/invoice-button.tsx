import { Button } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { openInvoice } from './open-invoice.ts';

/** Opens the invoice of an order, to read or to print. */
export function InvoiceButton({ orderId }: { readonly orderId: string }) {
  const open = useSingleMutation({
    mutationFn: () => openInvoice(orderId),
    onError: (error) => showFailure('The invoice could not be opened', error),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="external" size={16} />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      Invoice
    </Button>
  );
}
