import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/overview.ts';
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
      title={texts.latestOrders}
      isFlush={!error || data !== undefined}
      aside={
        <Link to="/orders" className={`link ${links.all}`}>
          {texts.allOrders}
        </Link>
      }
    >
      {error && !data ? (
        <ErrorNotice title={texts.ordersCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      ) : data?.orders.length === 0 ? (
        <EmptyState icon="orders" title={texts.noOrdersYet}>
          {texts.newestOnesAppearHereAsSoon}
        </EmptyState>
      ) : (
        <OrderTable orders={data?.orders} skeletonRows={shownOrders} />
      )}
    </Panel>
  );
}
