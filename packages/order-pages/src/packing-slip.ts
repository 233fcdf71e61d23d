import { html } from '@keyfront/api-reference/html';
import type { OrderDetails, Shipment } from '@keyfront/protocol';
import {
  listAddress,
  type PrintablePage,
  type PrintSettings,
  renderLines,
  renderPage,
} from './printed-page.ts';

/** What a packing slip shows of an order. */
export type PackedOrder = Pick<
  OrderDetails,
  | 'invoiceNumber'
  | 'externalReference'
  | 'createdAt'
  | 'orderStatus'
  | 'paymentStatus'
  | 'adminApproval'
  | 'orderLines'
  | 'shipments'
  | 'refunds'
  | 'shipping'
> & { readonly client: Pick<OrderDetails['client'], 'firstName' | 'lastName'> };

/**
 * Renders what goes into a parcel beside the goods: where it goes and what it contains, without prices. Without a shipment it lists
 * what is left to send.
 */
export function renderPackingSlip(
  order: PackedOrder,
  settings: PrintSettings,
  shipment: Shipment | null,
): PrintablePage {
  const { client, shipping, orderLines } = order;
  const refusal = shipment ? null : explainRefusal(order);
  const units = shipment ? countUnits([shipment]) : refusal ? new Map<string, number>() : countUnsent(order);
  const rows = orderLines
    .filter(({ id }) => (units.get(id) ?? 0) > 0)
    .map(
      ({ id, strain, quantity }) =>
        html`<tr><td>${strain.name}</td><td>${quantity}</td><td>${units.get(id) ?? 0}</td></tr>
`,
    );
  return renderPage(
    { ...settings, title: 'Packing slip', order },
    html`<section class="addresses">
<div><h2>Ship to</h2>
<p>${renderLines([`${client.firstName} ${client.lastName}`, ...listAddress(shipping)])}</p></div>
${
  shipment
    ? html`<div><h2>Carrier</h2>
<p>${renderLines([shipment.carrier, shipment.trackingNumber ?? ''])}</p></div>`
    : null
}
</section>
${
  rows.length > 0
    ? html`<table>
<thead><tr><th scope="col">Description</th><th scope="col">Ordered</th><th scope="col">In this parcel</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
    : html`<p class="notice">${refusal ?? 'Nothing is left to send.'}</p>`
}`,
  );
}

/** Why nothing of an order is sent. Null if nothing speaks against it. */
function explainRefusal({ orderStatus, paymentStatus, adminApproval }: PackedOrder): string | null {
  if (orderStatus === 'CANCELLED') return 'This order was cancelled. Do not send it.';
  if (paymentStatus === 'REFUNDED') return 'This order was refunded. Do not send it.';
  return adminApproval === 'VERIFIED' ? null : 'This order is not approved. Do not send it.';
}

/** Units by line. What was sent or refunded is not sent again. */
function countUnsent({ orderLines, shipments, refunds }: PackedOrder): Map<string, number> {
  const taken = countUnits([...shipments, ...refunds]);
  return new Map(orderLines.map(({ id, quantity }) => [id, quantity - (taken.get(id) ?? 0)]));
}

function countUnits(parcels: readonly Pick<Shipment, 'orderLines'>[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { id, quantity } of parcels.flatMap(({ orderLines }) => orderLines)) {
    units.set(id, (units.get(id) ?? 0) + quantity);
  }
  return units;
}
