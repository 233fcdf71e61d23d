import type { DemoCheck, DemoPayment } from '@keyfront/demo';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';

const findCheck = statement<DemoCheck>(
  'demo.find-check',
  `SELECT first_name || ' ' || last_name AS name, email,
     CASE WHEN is_kyc_verified THEN 'VERIFIED' ELSE coalesce(kyc_progress, 'PENDING') END AS status
   FROM clients WHERE kyc_reference = $1 AND archived_at IS NULL`,
);

export async function findDemoCheck(database: Database, reference: string): Promise<DemoCheck | null> {
  const [check] = await database.query(systemScope, findCheck, [reference]);
  return check ?? null;
}

const findPayment = statement<DemoPayment>(
  'demo.find-payment',
  `SELECT invoice_number AS "invoiceNumber", total_amount AS amount, currency, return_url AS "returnUrl",
     CASE WHEN order_status = 'CANCELLED' AND checkout.status = 'PENDING' THEN 'CANCELLED'
       WHEN checkout.status = 'PENDING' AND checkout.expires_at <= now() THEN 'EXPIRED' ELSE checkout.status END AS status
   FROM payment_checkouts AS checkout JOIN orders ON orders.id = checkout.order_id
   WHERE checkout.reference = $1`,
);

export async function findDemoPayment(database: Database, reference: string): Promise<DemoPayment | null> {
  const [payment] = await database.query(systemScope, findPayment, [reference]);
  return payment ?? null;
}
