import { Button } from '@mantine/core';
import { openPrintedPage } from '../files/open-printed-page.ts';
import { texts } from '../texts/components.ts';
import { Icon } from './icon.tsx';
import { showFailure } from './toasts.tsx';
import { useSingleMutation } from './use-single-mutation.ts';

interface PrintButtonProps {
  /** What the page is, such as "Invoice". */
  readonly name: string;
  /** Loads the page, as HTML. */
  readonly load: () => Promise<string>;
}

/** Opens a page of an order, to read or to print. */
export function PrintButton({ name, load }: PrintButtonProps) {
  const open = useSingleMutation({
    mutationFn: () => openPrintedPage(load),
    onError: (error) => showFailure(texts.nameCouldNotBeOpened(name.toLowerCase()), error),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="external" size={16} />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      {name}
    </Button>
  );
}
