/** What a cart or an order costs. */
export function Totals({ subTotal, delivery, total }: { subTotal: string; delivery: string; total: string }) {
  return (
    <dl className="totals">
      <dt>Strains</dt>
      <dd>{subTotal}</dd>
      <dt>Delivery</dt>
      <dd>{delivery}</dd>
      <dt className="sum">Total, tax included</dt>
      <dd className="sum">{total}</dd>
    </dl>
  );
}
