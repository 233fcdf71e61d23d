-- A nonce is stored only as long as it would be kept: the clock of the database decides both. A process whose clock is behind would
-- otherwise accept a signature whose nonce was deleted before. `expires_at` follows from what was signed, so it is the same for every
-- repetition. `clock_timestamp`, not `now`: the transaction may have begun before the nonce was deleted.

CREATE FUNCTION refuse_expired_nonce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'the nonce has expired' USING ERRCODE = 'check_violation', CONSTRAINT = 'request_nonces_not_expired';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER refuse_expired_nonce BEFORE INSERT ON request_nonces
  FOR EACH ROW EXECUTE FUNCTION refuse_expired_nonce();
