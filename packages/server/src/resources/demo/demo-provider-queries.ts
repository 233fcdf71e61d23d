import type { DemoCheck, DemoPayment } from '@keyfront/demo';
import { query } from '../../database/queries/query.ts';

export const findDemoCheck = query<DemoCheck>(
  'demo.find-check',
  `SELECT first_name || ' ' || last_name AS name, email, kyc_return_url AS "returnUrl",
     CASE WHEN is_kyc_verified THEN 'VERIFIED' ELSE coalesce(kyc_progress, 'PENDING') END AS status
   FROM clients WHERE kyc_reference = $1 AND archived_at IS NULL`,
).findAsSystem((reference: string) => [reference]);

export const findDemoPayment = query<DemoPayment>(
  'demo.find-payment',
  `SELECT invoice_number AS "invoiceNumber", total_amount AS amount, currency, return_url AS "returnUrl",
     CASE WHEN order_status = 'CANCELLED' AND checkout.status = 'PENDING' THEN 'CANCELLED'
       WHEN checkout.status = 'PENDING' AND checkout.expires_at <= now() THEN 'EXPIRED' ELSE checkout.status END AS status
   FROM payment_checkouts AS checkout JOIN orders ON orders.id = checkout.order_id
   WHERE checkout.reference = $1`,
).findAsSystem((reference: string) => [reference]);
