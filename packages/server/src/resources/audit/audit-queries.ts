import { type AuditEntry, type AuditSubject, type PageRequest, pageOffset } from '@keyfront/protocol';
import { compactInto } from '../../database/queries/counters.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';

/** Of administrator, provider and holder, one is not null: who acted. */
export type AuditRow = Omit<AuditEntry, 'id' | 'subjectName' | 'createdAt'>;

/** Queues the row for the commit of the change. */
export const insertAuditRow = query(
  'audit.insert',
  `INSERT INTO audit (administrator, provider, holder, subject, subject_id, action, before, after)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
).atCommit((row: AuditRow) => [
  row.administrator,
  row.provider,
  row.holder,
  row.subject,
  row.subjectId,
  row.action,
  row.before && JSON.stringify(row.before),
  JSON.stringify(row.after),
]);

export interface AuditFilter {
  readonly subject: AuditSubject | null;
  readonly subjectId: string | null;
  /** In lower case. */
  readonly administrator: string | null;
}

/** Lists one page of matching entries, newest first, with the total count. */
export const listAuditEntries = query<PageRow<AuditEntry>>(
  'audit.page',
  // The counters know subjects and administrators. The entries about one subject are few.
  `WITH matching AS NOT MATERIALIZED (
     SELECT id, administrator, provider, holder, subject, subject_id AS "subjectId", action, before, after, created_at AS "createdAt"
     FROM audit
     WHERE ($1::text IS NULL OR subject = $1)
       AND ($2::uuid IS NULL OR subject_id = $2)
       AND ($3::text IS NULL OR administrator = $3)
   ), total AS MATERIALIZED (
     SELECT CASE WHEN $2::uuid IS NULL
       THEN (SELECT coalesce(sum(entries), 0)::bigint FROM (
         SELECT * FROM audit_counters
         -- All of them, but a scan of an index needs a condition.
         UNION ALL SELECT subject, administrator, entries FROM audit_counter_changes WHERE id > 0
       ) AS counters WHERE ($1::text IS NULL OR subject = $1) AND ($3::text IS NULL OR administrator = $3))
       ELSE (SELECT count(*) FROM matching) END AS count
   )
   -- One look-up by key for each entry of the page. A client that is archived has no page any more, and one that is erased no name.
   SELECT total.count AS "itemCount", page.*, CASE page.subject
     WHEN 'ORDER' THEN (SELECT invoice_number FROM orders WHERE orders.id = page."subjectId")
     WHEN 'CLIENT' THEN (
       SELECT btrim(first_name || ' ' || last_name) FROM clients WHERE clients.id = page."subjectId" AND archived_at IS NULL
     )
     WHEN 'STRAIN' THEN (SELECT name FROM strains WHERE strains.id = page."subjectId")
     WHEN 'PLANET' THEN (SELECT name FROM planets WHERE planets.id = page."subjectId")
   END AS "subjectName"
   FROM total
   LEFT JOIN (
     -- Where nothing matches, a page would read the whole log in search of it.
     SELECT * FROM matching WHERE (SELECT count FROM total) > 0 ORDER BY "createdAt" DESC, id DESC LIMIT $4 OFFSET $5
   ) AS page ON true
   ORDER BY page."createdAt" DESC, page.id DESC`,
  { indexScansOnly: true },
).listInScope(
  (_scope: AdministratorScope, { subject, subjectId, administrator }: AuditFilter, page: PageRequest) => [
    subject,
    subjectId,
    administrator,
    page.take,
    pageOffset(page),
  ],
);

/** Compacts all counter changes of the audit log, or stops when the signal aborts. */
export const compactAuditCounters = compactInto({
  name: 'audit.compact-counters',
  counters: 'audit_counters',
  changes: 'audit_counter_changes',
  keys: ['subject', 'administrator'],
  sums: ['entries'],
});
