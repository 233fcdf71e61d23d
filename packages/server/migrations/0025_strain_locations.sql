-- Strains are sold per country: stock and, where it differs from the base price, the price belong to a location.

CREATE TABLE strain_locations (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  strain_id uuid NOT NULL REFERENCES strains,
  -- ISO 3166-1 alpha-3.
  country_code text NOT NULL CHECK (country_code ~ '^[A-Z]{3}$'),
  is_active boolean NOT NULL DEFAULT true,
  stock_quantity integer NOT NULL DEFAULT 0 CHECK (stock_quantity >= 0),
  -- Null: the base price and currency of the strain.
  retail_price numeric(12, 2) CHECK (retail_price >= 0),
  currency currency_code,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((retail_price IS NULL) = (currency IS NULL)),
  UNIQUE (strain_id, country_code)
) WITH (fillfactor = 50);
-- Every order updates the stock. Half of each page stays free, so that the new version of a row fits beside the old one and no
-- index changes.

-- Orders finish first. Then none can take stock that is being divided.
LOCK TABLE strains IN SHARE ROW EXCLUSIVE MODE;

-- The stock of a strain is divided evenly over its countries. The first country gets the remainder, so the sum stays the same.
INSERT INTO strain_locations (strain_id, country_code, stock_quantity)
SELECT strains.id, country.code,
  strains.stock_quantity / country.count + CASE WHEN country.place = 1 THEN strains.stock_quantity % country.count ELSE 0 END
FROM strains CROSS JOIN LATERAL (
  SELECT code, row_number() OVER (ORDER BY min(position)) AS place, count(*) OVER () AS count
  FROM unnest(strains.country_codes) WITH ORDINALITY AS listed (code, position) GROUP BY code
) AS country;

-- A strain that is sold in no country keeps its stock until it gets one.
ALTER TABLE strains RENAME COLUMN stock_quantity TO unassigned_stock;
UPDATE strains SET unassigned_stock = 0 WHERE country_codes <> '{}';
ALTER TABLE strains ALTER COLUMN unassigned_stock SET DEFAULT 0;
DROP TRIGGER announce_change ON strains;
ALTER TABLE strains DROP COLUMN country_codes;
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON strains
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

-- All columns but stock_quantity: a transaction that notifies holds a lock of the whole server while it commits, and orders
-- must not wait for each other there.
CREATE TRIGGER announce_change AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, strain_id, country_code, is_active,
    retail_price, currency, created_at
  ON strain_locations FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

REVOKE UPDATE (unassigned_stock) ON strains FROM keyfront_service;
GRANT SELECT ON strain_locations TO keyfront_service, keyfront_platform;
GRANT INSERT, UPDATE ON strain_locations TO keyfront_platform;
-- Orders take stock and cancellations give it back.
GRANT UPDATE (stock_quantity) ON strain_locations TO keyfront_service;

-- What the delivery to a country costs, for orders in one currency.
CREATE TABLE delivery_charges (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  country_code text NOT NULL CHECK (country_code ~ '^[A-Z]{3}$'),
  currency currency_code NOT NULL,
  delivery_charge numeric(12, 2) NOT NULL CHECK (delivery_charge >= 0),
  -- Orders whose subtotal is at least this are delivered free of charge.
  free_from numeric(12, 2) CHECK (free_from >= 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (country_code, currency)
);
CREATE TRIGGER touch BEFORE UPDATE ON delivery_charges FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_charges
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();
GRANT SELECT ON delivery_charges TO keyfront_service, keyfront_platform;
GRANT INSERT, UPDATE ON delivery_charges TO keyfront_platform;

-- The protocol lists the subjects; the database only checks their form. No row is read for a constraint that is not valid yet.
ALTER TABLE audit DROP CONSTRAINT audit_subject_check;
ALTER TABLE audit ADD CONSTRAINT audit_subject_check CHECK (subject ~ '^[A-Z_]+$') NOT VALID;
