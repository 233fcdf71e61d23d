-- Planets, strains, where they are sold, and what delivery costs. The same for every holder, changed by administrators only.

-- Tells every process that the catalogue has changed, so that it may cache responses until then. The other side is change-feed.ts.
CREATE FUNCTION announce_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keyfront_catalogue_changes', '');
  RETURN NULL;
END
$$;

CREATE TABLE planets (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  number integer NOT NULL UNIQUE CHECK (number > 0),
  name text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX planets_name ON planets (lower(name));
CREATE TRIGGER touch BEFORE UPDATE ON planets FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON planets
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

CREATE TABLE strains (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  planet_id uuid NOT NULL REFERENCES planets,
  name text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  type text NOT NULL CHECK (type IN ('INDICA', 'SATIVA', 'HYBRID')),
  thc numeric(5, 2) NOT NULL CHECK (thc BETWEEN 0 AND 100),
  cbd numeric(5, 2) NOT NULL CHECK (cbd BETWEEN 0 AND 100),
  flavour text NOT NULL DEFAULT '',
  feelings text NOT NULL DEFAULT '',
  helps_with text NOT NULL DEFAULT '',
  retail_price numeric(12, 2) NOT NULL CHECK (retail_price >= 0),
  currency currency_code NOT NULL,
  -- The stock of a strain that is sold in no country. It keeps it until it gets a location.
  unassigned_stock integer NOT NULL DEFAULT 0 CHECK (unassigned_stock >= 0),
  is_available boolean NOT NULL DEFAULT true,
  -- The first image.
  image_url text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- What the first image shows. Null: the name of the strain.
  image_alt text,
  -- The other images in their order, as [{"strainImageUrl": "…", "altText": "…"}].
  more_images jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(more_images) = 'array'),
  CHECK (image_url IS NOT NULL OR more_images = '[]')
);
CREATE UNIQUE INDEX strains_name ON strains (lower(name));
CREATE INDEX strains_by_planet ON strains (planet_id, name, id);
CREATE INDEX strains_by_name ON strains (name, id);
CREATE TRIGGER touch BEFORE UPDATE ON strains FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON strains
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

-- PostgreSQL reads the CHECK constraints of a table anew for each statement that writes to it, and those of a domain once for each
-- connection. Every order updates locations.
CREATE DOMAIN alpha3_code AS text CHECK (VALUE ~ '^[A-Z]{3}$');
CREATE DOMAIN stock_count AS integer CHECK (VALUE >= 0);
CREATE DOMAIN price_amount AS numeric(12, 2) CHECK (VALUE >= 0);

-- Strains are sold per country. Stock and, where it differs from the base price, the price belong to a location.
CREATE TABLE strain_locations (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  strain_id uuid NOT NULL REFERENCES strains,
  -- ISO 3166-1 alpha-3.
  country_code alpha3_code NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  stock_quantity stock_count NOT NULL DEFAULT 0,
  -- Null: the base price and currency of the strain.
  retail_price price_amount,
  currency currency_code,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((retail_price IS NULL) = (currency IS NULL)),
  UNIQUE (strain_id, country_code)
-- Every order updates the stock. Half of each page stays free, so that the new version of a row fits beside the old one and no index changes.
) WITH (fillfactor = 50);
-- All columns but stock_quantity: a transaction that notifies holds a lock of the whole server while it commits, and orders must not wait
-- for each other there.
CREATE TRIGGER announce_change AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF id, strain_id, country_code, is_active,
    retail_price, currency, created_at
  ON strain_locations FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

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

-- The tax that prices in a country contain, in per cent. No tax where there is no row.
CREATE TABLE tax_rates (
  country_code text PRIMARY KEY CHECK (country_code ~ '^[A-Z]{3}$'),
  tax_rate numeric(5, 2) NOT NULL CHECK (tax_rate BETWEEN 0 AND 100)
);
CREATE TRIGGER announce_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tax_rates
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();

GRANT SELECT ON planets, strains, strain_locations, delivery_charges, tax_rates TO keyfront_service, keyfront_platform;
GRANT INSERT, UPDATE ON planets, strains, strain_locations, delivery_charges, tax_rates TO keyfront_platform;
-- Orders take stock and cancellations give it back.
GRANT UPDATE (stock_quantity) ON strain_locations TO keyfront_service;

-- Events of strains. No triggers: every order updates stock, and an administrator changes a strain and its locations together.

-- Volatile, so that it sees what the statement that calls it has written.
CREATE FUNCTION strain_snapshot(of_strain uuid) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
  SELECT to_jsonb(strains) || jsonb_build_object(
    'planet', jsonb_build_object('number', planets.number, 'name', planets.name),
    'locations', coalesce((
      SELECT jsonb_agg(to_jsonb(location) ORDER BY location.country_code)
      FROM keyfront.strain_locations AS location WHERE location.strain_id = strains.id
    ), '[]'))
  FROM keyfront.strains JOIN keyfront.planets ON planets.id = strains.planet_id WHERE strains.id = of_strain
$$;

-- Records that a location has no stock any more, or has some again. The stock has already been written.
CREATE FUNCTION record_stock_event(event_type text, of_strain uuid, of_location uuid, earlier_stock integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := keyfront.strain_snapshot(of_strain);
BEGIN
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  VALUES (NULL, event_type, later, jsonb_build_object('locations', (
    SELECT jsonb_agg(CASE WHEN location ->> 'id' = of_location::text
      THEN location || jsonb_build_object('stock_quantity', earlier_stock) ELSE location END)
    FROM jsonb_array_elements(later -> 'locations') AS location
  )));
END
$$;

-- Records what an administrator has changed of a strain: one event for the change, and one for each kind of change of its stock. The
-- strain has already been written.
CREATE FUNCTION record_strain_change(of_strain uuid, earlier jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later jsonb := keyfront.strain_snapshot(of_strain);
  differences jsonb := keyfront.previous_values(earlier - 'updated_at', later);
BEGIN
  IF differences IS NULL THEN RETURN; END IF;
  INSERT INTO keyfront.events (token_id, type, snapshot, previous)
  SELECT NULL, type, later, differences FROM (
    SELECT 'strain.updated' AS type, 1 AS number
    UNION ALL
    SELECT CASE WHEN (new_location ->> 'stock_quantity')::integer = 0 THEN 'strain.out_of_stock' ELSE 'strain.back_in_stock' END, 2
    FROM jsonb_array_elements(earlier -> 'locations') AS old_location
    JOIN jsonb_array_elements(later -> 'locations') AS new_location ON new_location ->> 'id' = old_location ->> 'id'
    WHERE ((new_location ->> 'stock_quantity')::integer = 0) <> ((old_location ->> 'stock_quantity')::integer = 0)
    GROUP BY 1
  ) AS event ORDER BY number, type;
END
$$;
