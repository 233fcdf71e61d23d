-- Tells every process when the catalogue has changed, so that it may keep answers until then. The other side is
-- database/change-feed.ts.

CREATE FUNCTION announce_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keyfront_catalogue_changes', '');
  RETURN NULL;
END
$$;
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON planets
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

-- All columns but stock_quantity, which every order updates, and updated_at, which follows it: a transaction that
-- notifies holds a lock of the whole server while it commits, and orders must not wait for each other there.
CREATE TRIGGER announce_change AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, planet_id, name, description, type,
    thc, cbd, flavour, feelings, helps_with, retail_price, currency, is_available, image_url, country_codes, created_at
  ON strains FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();
