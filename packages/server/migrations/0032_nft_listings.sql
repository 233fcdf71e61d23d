-- NFT sales belong to a digital key, and those that are listed are public.

-- A sale of another digital key is out of scope, also if the same holder owns both. The seller stays part of the condition: whoever
-- buys the digital key does not see what its former owners have drafted.
ALTER POLICY in_scope ON nft_sales
  USING (token_id = scope_token_id() AND seller_id = scope_holder_id())
  WITH CHECK (token_id = scope_token_id() AND seller_id = scope_holder_id());

-- What everybody may read of a listed sale, and nothing else. A row exists exactly while the sale is LISTED. Triggers keep it so,
-- whoever changes the sale. Expired listings stay until the seller drafts the next sale, so readers compare expires_at.
CREATE TABLE nft_listings (
  sale_id uuid PRIMARY KEY REFERENCES nft_sales,
  token_id token_number NOT NULL UNIQUE,
  planet_id uuid NOT NULL REFERENCES planets,
  seller_address wallet_address NOT NULL,
  nonce bigint NOT NULL,
  price numeric(36, 18) NOT NULL,
  currency currency_code NOT NULL,
  -- Null if the sale was listed on the chain, and its signature never reached the service.
  signature bytea,
  listed_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX nft_listings_by_time ON nft_listings (listed_at, sale_id);
CREATE INDEX nft_listings_by_expiry ON nft_listings (expires_at, sale_id);
CREATE INDEX nft_listings_by_price ON nft_listings (price, sale_id);
CREATE INDEX nft_listings_by_planet ON nft_listings (planet_id);
CREATE INDEX nft_listings_by_seller ON nft_listings (seller_address);

CREATE FUNCTION publish_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.nft_listings
    (sale_id, token_id, planet_id, seller_address, nonce, price, currency, signature, listed_at, expires_at)
  SELECT NEW.id, NEW.token_id, digital_keys.planet_id, holders.wallet_address, NEW.nonce, NEW.price, NEW.currency,
    NEW.listing_signature, NEW.updated_at, NEW.expires_at
  FROM keyfront.digital_keys, keyfront.holders
  WHERE digital_keys.token_id = NEW.token_id AND holders.id = NEW.seller_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION unpublish_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM keyfront.nft_listings WHERE sale_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER publish_new AFTER INSERT ON nft_sales FOR EACH ROW
  WHEN (NEW.state = 'LISTED') EXECUTE FUNCTION publish_listing();
CREATE TRIGGER publish AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (NEW.state = 'LISTED' AND OLD.state <> 'LISTED') EXECUTE FUNCTION publish_listing();
CREATE TRIGGER unpublish AFTER UPDATE OF state ON nft_sales FOR EACH ROW
  WHEN (NEW.state <> 'LISTED' AND OLD.state = 'LISTED') EXECUTE FUNCTION unpublish_listing();

-- Row-level security also applies to the owner, so it is off for this statement.
ALTER TABLE nft_sales NO FORCE ROW LEVEL SECURITY;
ALTER TABLE digital_keys NO FORCE ROW LEVEL SECURITY;
ALTER TABLE holders NO FORCE ROW LEVEL SECURITY;
INSERT INTO nft_listings
    (sale_id, token_id, planet_id, seller_address, nonce, price, currency, signature, listed_at, expires_at)
  SELECT nft_sales.id, nft_sales.token_id, digital_keys.planet_id, holders.wallet_address, nft_sales.nonce, nft_sales.price,
    nft_sales.currency, nft_sales.listing_signature, nft_sales.updated_at, nft_sales.expires_at
  FROM nft_sales JOIN digital_keys USING (token_id) JOIN holders ON holders.id = nft_sales.seller_id
  WHERE nft_sales.state = 'LISTED';
ALTER TABLE nft_sales FORCE ROW LEVEL SECURITY;
ALTER TABLE digital_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE holders FORCE ROW LEVEL SECURITY;

-- Everybody reads all rows; a scope writes only those of its digital key.
CALL protect('nft_listings', 'token_id = scope_token_id()');
CREATE POLICY public_read ON nft_listings FOR SELECT TO keyfront_service USING (true);
GRANT SELECT, INSERT, DELETE ON nft_listings TO keyfront_service, keyfront_platform;
