-- A row for each process that reads from replicas, with a random id and a number that the process raises once a second. A replica of a
-- file copy of the cluster has the same timelines and may have replayed as many bytes. It never gets the next number.

CREATE TABLE primary_beats (
  process_id uuid PRIMARY KEY,
  beat bigint NOT NULL,
  beaten_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

GRANT SELECT ON primary_beats TO keyfront_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON primary_beats TO keyfront_platform;
