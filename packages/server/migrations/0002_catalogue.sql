-- Planets and strains: the same for every holder, changed by administrators only.

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
  stock_quantity integer NOT NULL CHECK (stock_quantity >= 0),
  is_available boolean NOT NULL DEFAULT true,
  image_url text,
  country_codes text[] NOT NULL DEFAULT '{}'
    CHECK (array_position(country_codes, NULL) IS NULL AND array_to_string(country_codes, ',') ~ '^([A-Z]{3}(,[A-Z]{3})*)?$'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX strains_name ON strains (lower(name));
CREATE INDEX strains_by_planet ON strains (planet_id, name, id);
CREATE INDEX strains_by_name ON strains (name, id);
CREATE INDEX strains_by_country ON strains USING gin (country_codes);
CREATE TRIGGER touch BEFORE UPDATE ON strains FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

GRANT SELECT ON planets, strains TO keyfront_service, keyfront_platform;
GRANT INSERT, UPDATE ON planets, strains TO keyfront_platform;
-- Orders take stock and cancellations give it back; nothing else of a strain is the caller's to change.
GRANT UPDATE (stock_quantity) ON strains TO keyfront_service;
