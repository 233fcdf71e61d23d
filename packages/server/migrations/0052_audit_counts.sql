-- Counts the entries that were in the audit log before its counters: those that are there, less those that the counters know. One
-- statement sees all three tables at the same moment, so it needs no lock, and instances go on writing.
INSERT INTO audit_tallies AS tally (subject, administrator, entries)
SELECT subject, administrator, sum(entries) FROM (
  SELECT subject, coalesce(administrator, '') AS administrator, count(*) AS entries FROM audit GROUP BY 1, 2
  UNION ALL SELECT subject, administrator, -entries FROM audit_tallies
  UNION ALL SELECT subject, administrator, -entries FROM audit_tally_changes
) AS counted
GROUP BY 1, 2 HAVING sum(entries) <> 0
ON CONFLICT (subject, administrator) DO UPDATE SET entries = tally.entries + excluded.entries;
