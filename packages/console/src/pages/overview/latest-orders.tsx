import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { OrderTable } from '../orders/order-table.tsx';

const shownOrders = 6;

/** The newest orders. */
export function LatestOrders() {
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', 'latest'],
    queryFn: ({ signal }) => getKeyfront().orders.list({ take: shownOrders }, { signal }),
  });
  return (
    <Panel
      title="Latest orders"
      isFlush={!error}
      aside={
        <Anchor component={Link} to="/orders" size="sm">
          All orders
        </Anchor>
      }
    >
      {error ? (
        <ErrorNotice title="The orders could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <OrderTable orders={data?.orders} skeletonRows={shownOrders} />
      )}
    </Panel>
  );
}
