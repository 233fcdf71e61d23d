-- A row for each session of a process that trusts its caches because it listens for changes. The session holds an advisory lock with the
-- number of its row. If the row has no lock, the session has ended without the process knowing it, and the process may trust its caches
-- for a moment longer. The other side is database/change-feed.ts.
CREATE SEQUENCE cache_lease_ids AS integer CYCLE;
CREATE TABLE cache_leases (id integer PRIMARY KEY);

GRANT USAGE ON SEQUENCE cache_lease_ids TO keyfront_service;
GRANT SELECT, INSERT, DELETE ON cache_leases TO keyfront_service;
GRANT SELECT ON cache_leases TO keyfront_platform;
