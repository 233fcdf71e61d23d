import type { Storefront } from './storefront.ts';

/**
 * Gives the holder this many rows in each table that grows with the business, and the platform as many other holders with one client and
 * one order each. PostgreSQL then supposes that a holder has few rows.
 */
export async function fillStore(
  { sql, holder: { tokenId, holderId, walletAddress } }: Storefront,
  rows: number,
): Promise<void> {
  const numbers = `generate_series(1, ${rows}) AS n`;
  await sql(
    `WITH planet AS (SELECT id FROM planets WHERE number = 1),
     others AS (
       INSERT INTO holders (wallet_address) SELECT '0x' || lpad(to_hex(n), 40, '0') FROM ${numbers} RETURNING id, wallet_address
     ), other_keys AS (
       INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT 1000000 + row_number() OVER (), others.id, planet.id FROM others, planet RETURNING token_id, holder_id
     ), api_keys AS (
       INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
       SELECT holder_id, token_id, 'storefront', convert_to('key ' || token_id, 'UTF8') FROM other_keys
     ), clients AS (
       INSERT INTO clients (token_id, first_name, last_name, email)
       SELECT token_id, 'Other', 'Client', 'other' || token_id || '@example.org' FROM other_keys RETURNING id, token_id
     ), orders AS (
       INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       SELECT token_id, id, 'OTHER-' || token_id, 10, 1, 'EUR' FROM clients
     ), webhooks AS (
       INSERT INTO webhooks (token_id, holder_id, url, event_types)
       SELECT token_id, holder_id, 'https://example.org/', '{*}' FROM other_keys
     )
     INSERT INTO sessions (wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
     SELECT wallet_address, 'holder', 'example.org', sha256(convert_to(wallet_address, 'UTF8')), now(), now(), now() + interval '1 day'
     FROM others`,
  );
  await sql(
    `INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency)
     SELECT id, 'Strain ' || n, 'SATIVA', 10, 1, 10, 'EUR' FROM planets, ${numbers} WHERE number = 1`,
  );
  await sql(
    `INSERT INTO strain_locations (strain_id, country_code, stock_quantity)
     SELECT id, 'DEU', 1000 FROM strains WHERE name LIKE 'Strain %'`,
  );
  await sql(
    `WITH clients AS (
       INSERT INTO clients (token_id, first_name, last_name, email, created_at)
       SELECT ${tokenId}, 'Client ' || n, 'Example', 'client' || n || '@example.org', now() - n % 30 * interval '1 day' FROM ${numbers}
       RETURNING id, created_at
     ), carts AS (
       INSERT INTO carts (id, token_id, client_id) SELECT id, ${tokenId}, id FROM clients
     ), orders AS (
       INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency, created_at)
       SELECT ${tokenId}, id, 'LARGE-' || row_number() OVER (), 10, 1, 'EUR', created_at FROM clients
     )
     INSERT INTO medical_records (client_id, token_id, key_id, ciphertext) SELECT id, ${tokenId}, 'test', '\\x00' FROM clients`,
  );
  const large = `orders.invoice_number LIKE 'LARGE-%'`;
  await sql(
    `WITH strain AS (SELECT id FROM strains WHERE name = 'Strain 1'),
     items AS (
       INSERT INTO cart_items (cart_id, strain_id, token_id, quantity)
       SELECT client_id, strain.id, token_id, 1 FROM orders, strain WHERE ${large}
     ), lines AS (
       INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
       SELECT orders.id, 1, token_id, strain.id, 'Strain 1', 10, 1 FROM orders, strain WHERE ${large}
     ), checkouts AS (
       INSERT INTO payment_checkouts (order_id, token_id, expires_at)
       SELECT id, token_id, now() + interval '1 hour' FROM orders WHERE ${large}
     ), deliveries AS (
       INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type, status)
       SELECT '${holderId}', token_id, '${holderId}', 'order.created', 'DELIVERED' FROM orders WHERE ${large}
     ), audit AS (
       INSERT INTO audit (administrator, subject, subject_id, action, after)
       SELECT '${walletAddress}', 'ORDER', id, 'CREATE', '{}' FROM orders WHERE ${large}
     ), idempotency AS (
       INSERT INTO idempotency_keys (credential, wallet_address, request_hash, status_code, body, key_hash)
       SELECT 'test', '${walletAddress}', sha256('test'), 201, '', sha256(convert_to(id::text, 'UTF8')) FROM orders WHERE ${large}
     ), nft_sales AS (
       INSERT INTO nft_sales (token_id, seller_id, price, currency, state, expires_at)
       SELECT token_id, '${holderId}', 1, 'ETH', 'CANCELLED', now() FROM orders WHERE ${large} RETURNING id, token_id
     ), transactions AS (
       INSERT INTO transactions (type, token_id, from_address, sale_id, occurred_at, origin)
       SELECT 'LIST_CANCEL', token_id, '${walletAddress}', id, now(), 'SIGNATURE' FROM nft_sales
     )
     INSERT INTO sales (token_id, client_id, order_id) SELECT token_id, client_id, id FROM orders WHERE ${large}`,
  );
}
