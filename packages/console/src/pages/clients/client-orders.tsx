import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';
import { OrderTable } from '../orders/order-table.tsx';

const shownOrders = 10;

/** The newest orders of a client. */
export function ClientOrders({ clientId }: { readonly clientId: string }) {
  const { data, error } = useQuery({
    queryKey: ['orders', 'of-client', clientId],
    queryFn: ({ signal }) => getKeyfront().orders.list({ clientId, take: shownOrders }, { signal }),
  });
  const hasFailed = error !== null && !data;
  const count = data?.pageMetaDto.itemCount ?? 0;
  return (
    <Panel
      title={texts.orders}
      isFlush={!hasFailed && data?.orders.length !== 0}
      aside={
        count > shownOrders && (
          <Link to="/orders" search={{ clientId }}>
            {texts.allCount(count)}
          </Link>
        )
      }
    >
      {hasFailed && <ErrorNotice title={texts.ordersCouldNotBeLoaded} error={error} />}
      {data?.orders.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.thisClientHasNotOrderedYet}
        </Text>
      )}
      {!hasFailed && data?.orders.length !== 0 && <OrderTable orders={data?.orders} skeletonRows={3} />}
    </Panel>
  );
}
