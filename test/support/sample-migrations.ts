/** What later versions typically do to tables in use, by the name of the file. The current version does not know of it. */
export const sampleMigrations = {
  '9001_order_remarks.sql': `
    ALTER TABLE orders ADD COLUMN remark text NOT NULL DEFAULT '';
    ALTER TABLE orders ADD CONSTRAINT orders_remark_is_short CHECK (length(remark) <= 500) NOT VALID;
    CREATE TABLE order_labels (order_id uuid NOT NULL REFERENCES orders, token_id bigint NOT NULL, label text NOT NULL);
    CALL protect('order_labels', 'token_id = scope_token_id()');
    GRANT SELECT, INSERT ON order_labels TO keyfront_service, keyfront_platform;`,
  '9002_order_remarks_validated.sql': 'ALTER TABLE orders VALIDATE CONSTRAINT orders_remark_is_short;',
  '9003_orders_by_remark.sql':
    '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_remark ON orders (token_id, remark);\n',
};
