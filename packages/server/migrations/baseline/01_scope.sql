-- What every other file builds on: the extensions, the scope of a caller, row-level security, ids, and the types of columns.

GRANT USAGE ON SCHEMA keyfront TO keyfront_service, keyfront_platform;

-- Trigrams, and whole numbers beside them in one index. An administrator may have installed both in another schema, so their operator
-- classes are looked up there until the end of this transaction.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA keyfront;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA keyfront;
SELECT set_config('search_path', 'keyfront, ' || extnamespace::regnamespace, true) FROM pg_extension WHERE extname = 'pg_trgm';

-- An unset custom setting reads as NULL. One that was set locally reads as '' after its transaction. Both mean "no scope", and a comparison
-- with NULL lets no row through.
CREATE FUNCTION scope_holder_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('keyfront.holder_id', true), '')::uuid;

CREATE FUNCTION scope_token_id() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('keyfront.token_id', true), '')::bigint;

CREATE FUNCTION scope_wallet_address() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('keyfront.wallet_address', true), '');

-- Puts a table under row-level security: the service sees the rows of its scope, the platform role all of them. The owner of the table is
-- subject to it too.
CREATE PROCEDURE protect(target regclass, in_scope text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY in_scope ON %1$s TO keyfront_service USING (%2$s) WITH CHECK (%2$s)', target, in_scope);
  EXECUTE format('CREATE POLICY platform ON %s TO keyfront_platform USING (true) WITH CHECK (true)', target);
END
$$;
REVOKE ALL ON PROCEDURE protect FROM PUBLIC;

-- PostgreSQL 18 has a function for version 7. For 15 to 17, the same is made from the clock and a random UUID.
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT uuidv7()';
  ELSE
    CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $body$
      SELECT encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
          52, 1), 53, 1),
        'hex')::uuid
    $body$;
  END IF;
END
$$;

CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END
$$;

-- For a statement that finds that what it relies on has changed. The service runs a transaction again that fails with this state.
CREATE FUNCTION raise_conflict() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what the transaction has read has changed' USING ERRCODE = 'serialization_failure';
END
$$;

-- ISO 4217 for money, the symbol of a token for prices on the chain.
CREATE DOMAIN currency_code AS text CHECK (VALUE ~ '^[A-Z]{3,5}$');
-- Lower case, so that equal wallets are equal texts.
CREATE DOMAIN wallet_address AS text CHECK (VALUE ~ '^0x[0-9a-f]{40}$');
-- What a storefront notes about a client or an order: names with texts. The protocol checks the lengths of both.
CREATE FUNCTION count_names(object jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT count(*) FROM jsonb_object_keys(object));
CREATE DOMAIN metadata_object AS jsonb
  CONSTRAINT metadata_names CHECK (VALUE = '{}' OR jsonb_typeof(VALUE) = 'object' AND keyfront.count_names(VALUE) <= 20);
-- Whole numbers that JSON can carry.
CREATE DOMAIN token_number AS bigint CHECK (VALUE BETWEEN 0 AND 9007199254740991);
