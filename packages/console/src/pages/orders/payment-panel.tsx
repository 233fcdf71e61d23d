import type { OrderDetails } from '@keyfront/sdk';
import type { ReactNode } from 'react';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { countOf } from '../../format/count-of.ts';
import { formatMoney } from '../../format/format-money.ts';
import { texts } from '../../texts/orders.ts';
import classes from './record-list.module.css';

interface PaymentPanelProps {
  readonly order: Pick<
    OrderDetails,
    'payments' | 'refunds' | 'paidAmount' | 'refundedAmount' | 'refundDue' | 'currency'
  >;
  readonly aside?: ReactNode;
}

/** What was paid for an order, and what of it went back. */
export function PaymentPanel({ order, aside }: PaymentPanelProps) {
  const { payments, refunds, currency } = order;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <Panel title={texts.payments} aside={aside} isFlush>
      {payments.length === 0 && refunds.length === 0 && (
        <p className={classes.nothing}>{texts.nobodyHasBegunToPay}</p>
      )}
      <ul className={classes.list}>
        {payments.map(({ id, amount, status, reference, createdAt }) => (
          <li key={id} className={classes.record}>
            <div className={classes.words}>
              <div className={classes.title}>{texts.payment}</div>
              <div className={classes.detail}>
                <Moment time={createdAt} /> ·{' '}
                {reference === null ? texts.notedByAdministrator : <bdi>{reference}</bdi>}
              </div>
            </div>
            <div className={classes.end}>
              <StatusBadge state={status} />
              {money(amount)}
            </div>
          </li>
        ))}
        {refunds.map(({ id, amount, reason, orderLines, isRestocked, createdAt }) => (
          <li key={id} className={classes.record}>
            <div className={classes.words}>
              <div className={classes.title}>{texts.refund}</div>
              <div className={classes.detail}>
                <Moment time={createdAt} /> · <bdi>{reason}</bdi>
                {orderLines.length > 0 && ` · ${describeUnits(orderLines, isRestocked)}`}
              </div>
            </div>
            <div className={classes.end}>−{money(amount)}</div>
          </li>
        ))}
      </ul>
      {order.paidAmount > 0 && (
        <dl className={classes.totals}>
          <dt>{texts.paid}</dt>
          <dd>{money(order.paidAmount)}</dd>
          <dt>{texts.refunded}</dt>
          <dd>{money(order.refundedAmount)}</dd>
          {order.refundDue > 0 && (
            <>
              <dt className={classes.due}>{texts.refundDue}</dt>
              <dd className={classes.due}>{money(order.refundDue)}</dd>
            </>
          )}
        </dl>
      )}
    </Panel>
  );
}

function describeUnits(orderLines: readonly { readonly quantity: number }[], isRestocked: boolean): string {
  const units = orderLines.reduce((sum, { quantity }) => sum + quantity, 0);
  return `${countOf(units, 'unit')}${isRestocked ? texts.backInStock : ''}`;
}
