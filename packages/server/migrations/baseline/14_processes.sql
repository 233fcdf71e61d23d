-- What the processes of the service share: responses for repeated requests, and what they know about each other and about the servers of the
-- database.

-- The first response to a POST with an Idempotency-Key, written in the transaction of the work itself. The key is stored as its hash, because
-- the key itself decrypts the response.
CREATE TABLE idempotency_keys (
  credential text NOT NULL CHECK (credential <> ''),
  wallet_address wallet_address NOT NULL,
  request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
  status_code smallint NOT NULL CHECK (status_code BETWEEN 200 AND 599),
  body bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '24 hours',
  key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  -- What the response has personal data of: a client, or an order or delivery about one.
  subject_id uuid,
  -- The digital key that the request acted for, if any. A wallet may have several.
  token_id bigint,
  PRIMARY KEY (credential, key_hash)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- The service compresses stored responses before it encrypts them. PostgreSQL would try to compress them again, without success.
ALTER TABLE idempotency_keys ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
-- How an erasure finds the responses about a client.
CREATE INDEX idempotency_keys_by_subject ON idempotency_keys (subject_id) WHERE subject_id IS NOT NULL;

CALL protect('idempotency_keys', 'wallet_address = scope_wallet_address()');
GRANT SELECT, INSERT, DELETE ON idempotency_keys TO keyfront_service, keyfront_platform;
-- A key whose response has expired may be used anew.
GRANT UPDATE (wallet_address, request_hash, status_code, body, created_at, expires_at, subject_id, token_id)
  ON idempotency_keys
  TO keyfront_service, keyfront_platform;

-- Returns for each idempotency key the response that is stored for it. If there is none, takes the lock of the key until the transaction
-- ends, and returns whether it got it. The lookup comes after the locks and sees what their previous owners have committed, because
-- each statement of a volatile function has its own snapshot.
CREATE FUNCTION claim_idempotency_keys(credentials text[], key_hashes bytea[])
RETURNS TABLE (member integer, is_claimed boolean, request_hash bytea, status_code smallint, body bytea) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  claimed boolean[] := ARRAY(
    SELECT pg_try_advisory_xact_lock(hashtextextended(wanted.credential || encode(wanted.key_hash, 'hex'), 0))
    FROM unnest(credentials, key_hashes) AS wanted (credential, key_hash)
  );
BEGIN
  RETURN QUERY SELECT wanted.member::integer, claimed[wanted.member], stored.request_hash, stored.status_code, stored.body
  FROM unnest(credentials, key_hashes) WITH ORDINALITY AS wanted (credential, key_hash, member)
  -- A plain join might read all keys, if it is planned while there are few.
  LEFT JOIN LATERAL (
    SELECT * FROM keyfront.idempotency_keys AS key
    WHERE key.credential = wanted.credential AND key.key_hash = wanted.key_hash AND key.expires_at > now() LIMIT 1
  ) AS stored ON true;
END
$$;

-- A row for each session of a process that trusts its caches because it listens for changes. The session holds an advisory lock with the
-- number of its row. If the row has no lock, the session has ended without the process knowing it, and the process may trust its caches
-- for a moment longer. The other side is change-feed.ts.
CREATE SEQUENCE cache_lease_ids AS integer CYCLE;
CREATE TABLE cache_leases (id integer PRIMARY KEY);
GRANT USAGE ON SEQUENCE cache_lease_ids TO keyfront_service;
GRANT SELECT, INSERT, DELETE ON cache_leases TO keyfront_service;
GRANT SELECT ON cache_leases TO keyfront_platform;

-- A row for each timeline of the primary, written when a process first sees it. Its random id reaches only the replicas that
-- follow this primary: one that still follows a former primary may have replayed as many bytes, but of another history.
CREATE TABLE primary_timelines (
  timeline int PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
GRANT SELECT ON primary_timelines TO keyfront_service;
GRANT SELECT, INSERT ON primary_timelines TO keyfront_platform;

-- A row for each process that reads from replicas, with a random id and a number that the process raises once a second. A replica of a
-- file copy of the cluster has the same timelines and may have replayed as many bytes. It never gets the next number.
CREATE TABLE primary_beats (
  process_id uuid PRIMARY KEY,
  beat bigint NOT NULL,
  beaten_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
GRANT SELECT ON primary_beats TO keyfront_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON primary_beats TO keyfront_platform;
