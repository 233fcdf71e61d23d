import { Form } from 'react-router';
import { LiveUpdates } from '../components/live-updates.tsx';
import { Totals } from '../components/totals.tsx';
import { listHistory } from '../event-history.server.ts';
import { describeStatus, formatDate, formatPrice } from '../format.ts';
import { pictureUrl } from '../keyfront.server.ts';
import { requireOrder } from '../orders.server.ts';
import type { Route } from './+types/order';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Order ${loaderData.invoiceNumber}` : 'Not found' },
];

export async function loader({ request, params }: Route.LoaderArgs) {
  const order = await requireOrder(request, params.orderId);
  const format = (amount: number) => formatPrice(amount, order.currency);
  return {
    id: order.id,
    invoiceNumber: order.invoiceNumber,
    date: formatDate(order.createdAt),
    status: describeStatus(order),
    canPay: order.orderStatus !== 'CANCELLED' && ['PENDING', 'FAILED'].includes(order.paymentStatus),
    hasFailed: order.paymentStatus === 'FAILED',
    rejectionNote: order.rejectionNote,
    subTotal: format(order.subTotal),
    delivery: order.deliveryCharge === 0 ? 'free' : format(order.deliveryCharge),
    total: format(order.totalAmount),
    lines: order.orderLines.map(({ id, quantity, totalAmount, strain }) => ({
      ...{
        id,
        quantity,
        name: strain.name,
        total: format(totalAmount),
        picture: pictureUrl(strain.imageUrl),
      },
    })),
    shipments: order.shipments.map(({ id, carrier, trackingNumber, trackingUrl, createdAt }) => ({
      ...{ id, carrier, trackingNumber, trackingUrl, date: formatDate(createdAt) },
    })),
    refunds: order.refunds.map(({ id, amount, reason, createdAt }) => ({
      ...{ id, reason, amount: format(amount), date: formatDate(createdAt) },
    })),
    history: listHistory(order.id),
  };
}

export default function OrderPage({ loaderData: order }: Route.ComponentProps) {
  return (
    <>
      <LiveUpdates />
      <h1>Order {order.invoiceNumber}</h1>
      <p className="notice" role="status">
        {order.status}
      </p>
      {order.hasFailed && <p>Your payment has failed, and nothing was taken. You can try again.</p>}
      {order.rejectionNote && <p>{order.rejectionNote}</p>}
      {order.canPay && (
        <Form method="post" action={`/orders/${order.id}/pay`}>
          <button type="submit" className="primary">
            Pay {order.total}
          </button>
        </Form>
      )}
      <ul className="lines">
        {order.lines.map(({ id, quantity, name, total, picture }) => (
          <li key={id}>
            {picture && <img src={picture} alt="" width="64" height="64" />}
            <span className="name">
              {quantity} × {name}
            </span>
            <span>{total}</span>
          </li>
        ))}
      </ul>
      <Totals subTotal={order.subTotal} delivery={order.delivery} total={order.total} />
      {order.shipments.length > 0 && (
        <section>
          <h2>Parcels</h2>
          <ul>
            {order.shipments.map(({ id, carrier, trackingNumber, trackingUrl, date }) => (
              <li key={id}>
                Sent with {carrier} on {date}.{' '}
                {trackingUrl ? (
                  <a href={trackingUrl} rel="noreferrer">
                    Track {trackingNumber ?? 'the parcel'}
                  </a>
                ) : (
                  trackingNumber && `Number: ${trackingNumber}`
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {order.refunds.length > 0 && (
        <section>
          <h2>Refunds</h2>
          <ul>
            {order.refunds.map(({ id, amount, reason, date }) => (
              <li key={id}>
                {amount} on {date}: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p>
        <a href={`/orders/${order.id}/invoice`}>Invoice</a>
      </p>
      {order.history.length > 0 && (
        <section>
          <h2>What has happened</h2>
          <ol>
            {order.history.map(({ id, text, date }) => (
              <li key={id}>
                {text} <span className="muted">{date}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
