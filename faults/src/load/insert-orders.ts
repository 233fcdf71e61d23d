import { runSql } from './run-sql.ts';

/** Adds orders of a client who takes no part in the trial, so many that an export does not fit into the buffers. */
export async function insertOrders(ownerUrl: string, tokenId: number, count: number): Promise<void> {
  await runSql(
    ownerUrl,
    `WITH client AS (
       INSERT INTO keyfront.clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active)
       VALUES ($1, 'Bulk', 'Client', 'bulk@example.org', 'VERIFIED', true, true) RETURNING id
     ), strain AS (
       SELECT id, name FROM keyfront.strains WHERE name NOT LIKE 'Trial strain %' LIMIT 1
     ), placed AS (
       INSERT INTO keyfront.orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       SELECT $1, client.id, 'BULK-' || $1 || '-' || n, 10, 1, 'EUR' FROM client, generate_series(1, $2::int) AS n RETURNING id
     ), sale AS (
       INSERT INTO keyfront.sales (token_id, client_id, order_id, stage)
       SELECT $1, client.id, placed.id, 'ONGOING' FROM client, placed
     )
     INSERT INTO keyfront.order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
     SELECT placed.id, 1, $1, strain.id, strain.name, 10, 1 FROM placed, strain`,
    [tokenId, count],
  );
}
