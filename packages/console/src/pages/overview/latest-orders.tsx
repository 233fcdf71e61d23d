import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { OrderTable } from '../orders/order-table.tsx';
import links from './link-list.module.css';

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
      isFlush={!error || data !== undefined}
      aside={
        <Link to="/orders" className={`link ${links.all}`}>
          All orders
        </Link>
      }
    >
      {error && !data ? (
        <ErrorNotice title="The orders could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.orders.length === 0 ? (
        <EmptyState icon="orders" title="No orders yet">
          The newest ones appear here as soon as your storefront places them.
        </EmptyState>
      ) : (
        <OrderTable orders={data?.orders} skeletonRows={shownOrders} />
      )}
    </Panel>
  );
}
