import { type Html, html } from '@keyfront/api-reference/html';
import type { OrderDetails } from '@keyfront/protocol';
import {
  listAddress,
  type PrintablePage,
  type PrintSettings,
  renderDate,
  renderLines,
  renderPage,
} from './printed-page.ts';

/** What an invoice shows of an order. */
export type InvoicedOrder = Pick<
  OrderDetails,
  | 'invoiceNumber'
  | 'externalReference'
  | 'createdAt'
  | 'orderStatus'
  | 'currency'
  | 'orderLines'
  | 'subTotal'
  | 'deliveryCharge'
  | 'totalAmount'
  | 'taxRate'
  | 'taxAmount'
  | 'paidAmount'
  | 'refundDue'
  | 'payments'
  | 'refunds'
  | 'shipping'
> & { readonly client: Pick<OrderDetails['client'], 'firstName' | 'lastName' | 'email'> };

/** Formats an amount in the currency of the order. */
type FormatMoney = (amount: number) => string;

/** Renders the invoice of an order, with its payments and refunds as they are. */
export function renderInvoice(order: InvoicedOrder, settings: PrintSettings): PrintablePage {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: order.currency });
  const money: FormatMoney = (amount) => format.format(amount);
  return renderPage(
    { ...settings, title: 'Invoice', order },
    html`${order.orderStatus === 'CANCELLED' ? html`<p class="notice">This order was cancelled.</p>` : null}
<section class="addresses">
<div><h2>Customer</h2>
<p>${renderLines(listCustomer(order))}</p></div>
<div><h2>Ship to</h2>
<p>${renderLines(listAddress(order.shipping))}</p></div>
</section>
${renderItems(order, money)}
${renderMoney(order, money)}`,
  );
}

function renderItems(order: InvoicedOrder, money: FormatMoney): Html {
  const rows = order.orderLines.map(
    ({ strain, quantity, productAmount, totalAmount }) =>
      html`<tr><td>${strain.name}</td><td>${quantity}</td><td>${money(productAmount)}</td><td>${money(totalAmount)}</td></tr>
`,
  );
  return html`<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Price</th><th scope="col">Amount</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot>
${renderSum('Subtotal', money(order.subTotal))}
${renderSum('Delivery', money(order.deliveryCharge))}
${renderSum('Total', money(order.totalAmount), 'total')}
${renderSum(`Includes tax at ${order.taxRate} %`, money(order.taxAmount), 'quiet')}
</tfoot>
</table>`;
}

function renderSum(label: string, amount: string, className = ''): Html {
  const attribute = className ? html` class="${className}"` : null;
  return html`<tr${attribute}><th scope="row" colspan="3">${label}</th><td>${amount}</td></tr>`;
}

/** What was paid and refunded, and what is left of both. */
function renderMoney(order: InvoicedOrder, money: FormatMoney): Html {
  const paid = order.payments.filter(({ status }) => status === 'PAID' || status === 'REFUNDED');
  const movements = [
    ...paid.map(({ createdAt, paidAt, amount }) => ({
      createdAt: paidAt ?? createdAt,
      label: 'Payment',
      amount: money(amount),
    })),
    ...order.refunds.map(({ createdAt, amount }) => ({
      createdAt,
      label: 'Refund',
      amount: `−${money(amount)}`,
    })),
  ].sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  const rows = movements.map(
    ({ createdAt, label, amount }) =>
      html`<tr><td>${renderDate(createdAt)}</td><td>${label}</td><td>${amount}</td></tr>
`,
  );
  const isOpen = order.orderStatus !== 'CANCELLED' && order.paidAmount === 0 && order.totalAmount > 0;
  return html`<section class="payments"><h2>Payments</h2>
${
  rows.length > 0
    ? html`<table>
<tbody>
${rows}</tbody>
</table>`
    : html`<p>No payment has been received.</p>`
}
${isOpen ? html`<p class="due">Amount due: ${money(order.totalAmount)}</p>` : null}
${order.refundDue > 0 ? html`<p class="due">To be refunded: ${money(order.refundDue)}</p>` : null}
</section>`;
}

/** The name, and the e-mail address unless the client was erased: the domain is reserved, and nobody has an address there. */
function listCustomer({ client: { firstName, lastName, email } }: InvoicedOrder): string[] {
  return [`${firstName} ${lastName}`, email.endsWith('@erased.invalid') ? '' : email];
}
