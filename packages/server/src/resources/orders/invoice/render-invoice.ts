import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '@keyfront/api-reference/html';
import type { OrderDetails, ShippingAddress } from '@keyfront/protocol';
import type { HtmlPage } from '../../../pipeline/responses/html-page.ts';
import { invoiceStyle } from './invoice-style.ts';

const styleHash = createHash('sha256').update(invoiceStyle).digest('base64');

/** Only the style sheet of the page itself applies, and nothing is loaded, run or sent. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Formats an amount in the currency of the order. */
type FormatMoney = (amount: number) => string;

/** Renders the invoice of an order as a page to print. It contains no script. */
export function renderInvoice(order: OrderDetails, sellerName: string): HtmlPage {
  const { invoiceNumber, currency, externalReference } = order;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const money: FormatMoney = (amount) => format.format(amount);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Invoice ${invoiceNumber}</title>
<style>${trusted(invoiceStyle)}</style>
</head>
<body>
<main>
<header>
<p class="seller">${sellerName}</p>
<div><h1>Invoice</h1>
<dl>
<div><dt>Number</dt><dd>${invoiceNumber}</dd></div>
<div><dt>Date</dt><dd>${renderDate(order.createdAt)}</dd></div>
${externalReference ? html`<div><dt>Your reference</dt><dd>${externalReference}</dd></div>` : null}
</dl></div>
</header>
${order.orderStatus === 'CANCELLED' ? html`<p class="notice">This order was cancelled.</p>` : null}
<section class="addresses">
<div><h2>Customer</h2>
<p>${renderLines(listCustomer(order))}</p></div>
<div><h2>Ship to</h2>
<p>${renderLines(listAddress(order.shipping))}</p></div>
</section>
${renderItems(order, money)}
${renderMoney(order, money)}
</main>
</body>
</html>
`;
  return { html: page.toString(), contentSecurityPolicy };
}

function renderItems(order: OrderDetails, money: FormatMoney): Html {
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
function renderMoney(order: OrderDetails, money: FormatMoney): Html {
  const paid = order.payments.filter(({ status }) => status === 'PAID' || status === 'REFUNDED');
  const movements = [
    ...paid.map(({ createdAt, amount }) => ({ createdAt, label: 'Payment', amount: money(amount) })),
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
function listCustomer({ client: { firstName, lastName, email } }: OrderDetails): string[] {
  return [`${firstName} ${lastName}`, email.endsWith('@erased.invalid') ? '' : email];
}

function listAddress(address: ShippingAddress | null): string[] {
  if (!address) return ['No address'];
  const { address1, address2, landmark, postalCode, city, state, country, countryCode } = address;
  const town = `${postalCode} ${city}`.trim();
  // A city that is a state of its own is written once.
  return [address1, address2, landmark, town, state === city ? '' : state, country || countryCode];
}

/** Renders the texts that are not empty, each on a line. */
function renderLines(texts: readonly string[]): Html {
  const lines = texts.filter(Boolean).map((text, index) => (index === 0 ? html`${text}` : html`<br>${text}`));
  return html`${lines}`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function renderDate(time: string): Html {
  return html`<time datetime="${time}">${dateFormat.format(new Date(time))}</time>`;
}
