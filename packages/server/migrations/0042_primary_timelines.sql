-- A row for each timeline of the primary, written when a process first sees it. Its random id reaches only the replicas that
-- follow this primary: one that still follows a former primary may have replayed as many bytes, but of another history.

CREATE TABLE primary_timelines (
  timeline int PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid()
);

GRANT SELECT ON primary_timelines TO keyfront_service;
GRANT SELECT, INSERT ON primary_timelines TO keyfront_platform;
