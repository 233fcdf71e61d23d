import type { OrderWithLines } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { AddressText } from '../../components/address-text.tsx';
import { texts } from '../../texts/orders.ts';
import classes from './order-page.module.css';

/** Where an order goes, and what the customer noted. */
export function DeliveryText({
  order: { shipping, note },
}: {
  order: Pick<OrderWithLines, 'shipping' | 'note'>;
}) {
  return (
    <>
      {shipping && (
        <div className={classes.address}>
          <AddressText address={shipping} />
        </div>
      )}
      {note && (
        <Text size="sm" mt="sm" className={classes.wrap}>
          <strong>{texts.note}</strong> <bdi>{note}</bdi>
        </Text>
      )}
    </>
  );
}
