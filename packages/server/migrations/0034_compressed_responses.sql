-- The service compresses stored responses before it encrypts them. PostgreSQL would try to compress them again, without success.
ALTER TABLE idempotency_keys ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE idempotency_keys RESET (toast_tuple_target);
