import { createHash } from 'node:crypto';
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

/** Renders the invoice of an order as a page to print. Every text is escaped; the page contains no script. */
export function renderInvoice(order: OrderDetails, sellerName: string): HtmlPage {
  const { invoiceNumber, client, currency } = order;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const money = (amount: number) => escapeHtml(format.format(amount));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Invoice ${escapeHtml(invoiceNumber)}</title>
<style>${invoiceStyle}</style>
</head>
<body>
<main>
<header>
<p class="seller">${escapeHtml(sellerName)}</p>
<div><h1>Invoice</h1>
<dl>
<div><dt>Number</dt><dd>${escapeHtml(invoiceNumber)}</dd></div>
<div><dt>Date</dt><dd>${formatDate(order.createdAt)}</dd></div>${
    order.externalReference
      ? `
<div><dt>Your reference</dt><dd>${escapeHtml(order.externalReference)}</dd></div>`
      : ''
  }
</dl></div>
</header>
${order.orderStatus === 'CANCELLED' ? '<p class="notice">This order was cancelled.</p>\n' : ''}<section class="addresses">
<div><h2>Customer</h2>
<p>${[`${client.firstName} ${client.lastName}`, ...(isErased(client.email) ? [] : [client.email])].map(escapeHtml).join('<br>')}</p></div>
<div><h2>Ship to</h2>
<p>${renderAddress(order.shipping)}</p></div>
</section>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Price</th><th scope="col">Amount</th></tr></thead>
<tbody>
${order.orderLines
  .map(
    ({ strain, quantity, productAmount, totalAmount }) =>
      `<tr><td>${escapeHtml(strain.name)}</td><td>${quantity}</td><td>${money(productAmount)}</td><td>${money(totalAmount)}</td></tr>`,
  )
  .join('\n')}
</tbody>
<tfoot>
${renderSum('Subtotal', money(order.subTotal))}
${renderSum('Delivery', money(order.deliveryCharge))}
${renderSum('Total', money(order.totalAmount), 'total')}
${renderSum(`Includes tax at ${order.taxRate} %`, money(order.taxAmount), 'quiet')}
</tfoot>
</table>
${renderMoney(order, money)}</main>
</body>
</html>
`;
  return { html, contentSecurityPolicy };
}

function renderSum(label: string, amount: string, className = ''): string {
  const attribute = className && ` class="${className}"`;
  return `<tr${attribute}><th scope="row" colspan="3">${escapeHtml(label)}</th><td>${amount}</td></tr>`;
}

/** What was paid and refunded, and what is left of both. */
function renderMoney(order: OrderDetails, money: (amount: number) => string): string {
  const paid = order.payments.filter(({ status }) => status === 'PAID' || status === 'REFUNDED');
  const rows = [
    ...paid.map(({ createdAt, amount }) => [createdAt, 'Payment', money(amount)] as const),
    ...order.refunds.map(({ createdAt, amount }) => [createdAt, 'Refund', `−${money(amount)}`] as const),
  ].sort(([one], [other]) => (one < other ? -1 : 1));
  const list = rows
    .map(
      ([createdAt, label, amount]) =>
        `<tr><td>${formatDate(createdAt)}</td><td>${label}</td><td>${amount}</td></tr>`,
    )
    .join('\n');
  const isOpen = order.orderStatus !== 'CANCELLED' && order.paidAmount === 0 && order.totalAmount > 0;
  return `<section class="payments"><h2>Payments</h2>
${rows.length > 0 ? `<table>\n<tbody>\n${list}\n</tbody>\n</table>\n` : '<p>No payment has been received.</p>\n'}${
  isOpen ? `<p class="due">Amount due: ${money(order.totalAmount)}</p>\n` : ''
}${order.refundDue > 0 ? `<p class="due">To be refunded: ${money(order.refundDue)}</p>\n` : ''}</section>
`;
}

/** Whether the client was erased: the domain is reserved, and nobody has an address there. */
function isErased(email: string): boolean {
  return email.endsWith('@erased.invalid');
}

function renderAddress(address: ShippingAddress | null): string {
  if (!address) return 'No address';
  const { address1, address2, landmark, postalCode, city, state, country, countryCode } = address;
  const town = `${postalCode} ${city}`.trim();
  // A city that is a state of its own is written once.
  const lines = [address1, address2, landmark, town, state === city ? '' : state, country || countryCode];
  return lines.filter(Boolean).map(escapeHtml).join('<br>');
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function formatDate(time: string): string {
  return `<time datetime="${escapeHtml(time)}">${dateFormat.format(new Date(time))}</time>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
