import type { Checkout } from '@keyfront/protocol';
import { dataOf, type Reply, type Storefront } from './storefront.ts';
import { insertClient } from './storefront-data.ts';

/** What tests of payments do, for the holder of a storefront. */
export function openPayments({ holder, providers, sql }: Storefront) {
  return {
    /** An order of 75.00 EUR that nobody has paid. */
    insertOrder: async (state: Partial<Record<'order_status' | 'payment_status', string>> = {}) => {
      const { id: clientId } = await insertClient(sql, holder.tokenId);
      const { order_status = 'PENDING', payment_status = 'PENDING' } = state;
      const [row] = await sql<{ id: string }>(
        `INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency, order_status,
           payment_status, admin_approval, paid_amount, refunded_amount)
         VALUES ($1, $2, 'KF-' || gen_random_uuid(), 75, 6, 'EUR', $3, $4,
           CASE WHEN $3 IN ('PENDING', 'CANCELLED') THEN 'PENDING' ELSE 'VERIFIED' END, CASE WHEN $4 IN ('PAID', 'REFUNDED') THEN 75 ELSE 0 END,
           CASE WHEN $4 = 'REFUNDED' THEN 75 ELSE 0 END) RETURNING id`,
        [holder.tokenId, clientId, order_status, payment_status],
      );
      return row?.id ?? '';
    },
    openCheckout: async (orderId: string, returnUrl?: string): Promise<Checkout> =>
      dataOf(
        await holder.ask('POST', '/payments/checkout', {
          body: { orderId, ...(returnUrl === undefined ? {} : { returnUrl }) },
        }),
      ),
    statusOf: async (orderId: string): Promise<Checkout> =>
      dataOf(await holder.ask('GET', `/payments/checkout/${orderId}/status`)),
    /** What the provider reports about a checkout, by its link. */
    report: (payUrl: string | null, status: string, changes: object = {}): Promise<Reply> =>
      providers.PAYMENT.ask('POST', '/callbacks/payments', {
        body: { reference: referenceIn(payUrl), status, amount: 75, currency: 'EUR', ...changes },
      }),
    expire: (payUrl: string | null) =>
      sql(`UPDATE payment_checkouts SET expires_at = now() - interval '1 second' WHERE reference = $1`, [
        referenceIn(payUrl),
      ]),
  };
}

/** The reference in a link of the test provider. */
export function referenceIn(payUrl: string | null): string {
  return new URL(payUrl ?? '').pathname.slice(1);
}
