import { Link } from 'react-router';
import { LiveUpdates } from '../components/live-updates.tsx';
import { requireClient } from '../customer.server.ts';
import { describeStatus, formatDate, formatPrice } from '../format.ts';
import { keyfront, read } from '../keyfront.server.ts';
import type { Route } from './+types/orders';

export const meta: Route.MetaFunction = () => [{ title: 'Your orders' }];

export async function loader({ request }: Route.LoaderArgs) {
  const { client } = await requireClient(request);
  const { orders } = await read(keyfront.orders.list({ clientId: client.id, take: 100 }));
  return {
    orders: orders.map((order) => ({
      id: order.id,
      invoiceNumber: order.invoiceNumber,
      date: formatDate(order.createdAt),
      total: formatPrice(order.totalAmount, order.currency),
      status: describeStatus(order),
    })),
  };
}

export default function Orders({ loaderData: { orders } }: Route.ComponentProps) {
  return (
    <>
      <LiveUpdates />
      <h1>Your orders</h1>
      {orders.length === 0 && <p>There are none yet.</p>}
      <ul className="lines">
        {orders.map(({ id, invoiceNumber, date, total, status }) => (
          <li key={id}>
            <div className="name">
              <Link to={`/orders/${id}`}>{invoiceNumber}</Link> <span className="muted">{date}</span>
            </div>
            <span>{status}</span>
            <span>{total}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
