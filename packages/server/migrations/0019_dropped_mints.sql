-- A reorganisation that drops a mint deletes the digital key. The counters of the digital key must not prevent that.

-- The job that folds counters finishes first and pauses. Then the tables, in the order in which requests lock them.
SELECT pg_advisory_xact_lock(hashtextextended('keyfront order tallies', 0)),
  pg_advisory_xact_lock(hashtextextended('keyfront tallies', 0));
LOCK TABLE digital_keys, sales, tally_changes, tallies, order_tallies, client_tallies IN ACCESS EXCLUSIVE MODE;

-- Counters are derived from rows that reference the digital key themselves, so these constraints guarded nothing. Each
-- of them made the chain reader and the job wait for each other, or fail: a counter that was folded blocked the DELETE
-- of the digital key, and a deleted digital key blocked folding.
ALTER TABLE tallies DROP CONSTRAINT tallies_token_id_fkey;
ALTER TABLE order_tallies DROP CONSTRAINT order_tallies_token_id_fkey;
ALTER TABLE client_tallies DROP CONSTRAINT client_tallies_token_id_fkey;

-- Only the chain reader deletes sales. The counter follows by a change of its own, as with every other statement. So it
-- does not matter when the job runs, and the count is right when the digital key is minted again.
CREATE FUNCTION tally_removed_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keyfront.tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'sale', stage, -count(*) FROM removed GROUP BY token_id, stage;
  RETURN NULL;
END
$$;
CREATE TRIGGER tally_removed AFTER DELETE ON sales REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_sales();

-- Corrects the counters that sales deleted before this migration have left too high. Row-level security also applies to
-- the owner, so it is off for this statement.
ALTER TABLE sales NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tallies NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tally_changes NO FORCE ROW LEVEL SECURITY;
INSERT INTO tally_changes (token_id, kind, state, entries)
  SELECT token_id, 'sale', state, sum(entries) FROM (
    SELECT token_id, stage AS state, count(*) AS entries FROM sales GROUP BY token_id, stage
    UNION ALL SELECT token_id, state, -entries FROM tallies WHERE kind = 'sale'
    UNION ALL SELECT token_id, state, -entries FROM tally_changes WHERE kind = 'sale'
  ) AS differences
  GROUP BY token_id, state HAVING sum(entries) <> 0;
ALTER TABLE sales FORCE ROW LEVEL SECURITY;
ALTER TABLE tallies FORCE ROW LEVEL SECURITY;
ALTER TABLE tally_changes FORCE ROW LEVEL SECURITY;
