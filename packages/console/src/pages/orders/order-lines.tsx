import type { OrderWithLines } from '@keyfront/sdk';
import { Picture } from '../../components/picture.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/orders.ts';
import classes from './order-lines.module.css';

type Lines = Pick<
  OrderWithLines,
  'orderLines' | 'subTotal' | 'deliveryCharge' | 'totalAmount' | 'taxRate' | 'taxAmount' | 'currency'
>;

/** The lines of an order and what they add up to. */
export function OrderLines({ order }: { readonly order: Lines }) {
  const { currency } = order;
  return (
    <>
      <ul className={classes.list}>
        {order.orderLines.map(({ id, strain, quantity, productAmount, totalAmount }) => (
          <li key={id} className={classes.line}>
            <Picture imageUrl={strain.imageUrl} alt="" size={44} />
            <span className={classes.words}>
              <bdi className={classes.name}>{strain.name}</bdi>
              <span className={classes.each}>
                {quantity} × {formatMoney(productAmount, currency)}
              </span>
            </span>
            <span className="tabular">{formatMoney(totalAmount, currency)}</span>
          </li>
        ))}
      </ul>
      <dl className={classes.totals}>
        <dt>{texts.subtotal}</dt>
        <dd>{formatMoney(order.subTotal, currency)}</dd>
        <dt>{texts.delivery}</dt>
        <dd>{order.deliveryCharge === 0 ? texts.free : formatMoney(order.deliveryCharge, currency)}</dd>
        <dt className={classes.total}>{texts.total}</dt>
        <dd className={classes.total}>{formatMoney(order.totalAmount, currency)}</dd>
        {order.taxRate > 0 && (
          <>
            <dt>{texts.includesTaxRateTax(formatNumber(order.taxRate))}</dt>
            <dd>{formatMoney(order.taxAmount, currency)}</dd>
          </>
        )}
      </dl>
    </>
  );
}
