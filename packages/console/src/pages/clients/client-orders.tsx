import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
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
      title="Orders"
      isFlush={!hasFailed && data?.orders.length !== 0}
      aside={
        count > shownOrders && (
          <Link to="/orders" search={{ clientId }}>
            All {count}
          </Link>
        )
      }
    >
      {hasFailed && <ErrorNotice title="The orders could not be loaded" error={error} />}
      {data?.orders.length === 0 && (
        <Text size="sm" c="dimmed">
          This client has not ordered yet.
        </Text>
      )}
      {!hasFailed && data?.orders.length !== 0 && <OrderTable orders={data?.orders} skeletonRows={3} />}
    </Panel>
  );
}
