-- How many rows there are of each kind, so that no list reads them all to count them, and no chart adds them all up. A row that everybody
-- updates would make everybody wait. So each change leaves a row that nobody else touches, and a job adds these rows to the counters. What is
-- true at any moment is the sum of both.

-- Sales by stage, and carts that contain something. The counters of clients, orders and the audit log are beside their tables.
--
-- No foreign key to the digital key: a counter is derived from rows that reference it. A reorganised chain that drops a mint deletes the
-- digital key, and must not wait for counters.
CREATE TABLE counters (
  token_id token_number NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (token_id, kind, state)
);

CREATE TABLE counter_changes (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  token_id token_number NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  entries bigint NOT NULL
-- Rows are deleted soon after they were inserted. The number of dead rows counts, not their share: a table that is empty most of the time
-- must not be as large as on its worst day.
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX counter_changes_by_token ON counter_changes (token_id);

CALL protect('counters', 'token_id = scope_token_id()');
CALL protect('counter_changes', 'token_id = scope_token_id()');
GRANT SELECT ON counters TO keyfront_service;
GRANT SELECT, INSERT ON counter_changes TO keyfront_service, keyfront_platform;
-- For the job.
GRANT SELECT, INSERT, UPDATE (entries) ON counters TO keyfront_platform;
GRANT DELETE, UPDATE (entries) ON counter_changes TO keyfront_platform;
