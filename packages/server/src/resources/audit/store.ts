import { statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';

export type AuditSubject = 'CLIENT' | 'ORDER' | 'STRAIN' | 'PLANET';

export interface AuditRow {
  readonly administrator: string;
  readonly subject: AuditSubject;
  readonly subjectId: string;
  /** Null for what was created. */
  readonly before: object | null;
  readonly after: object;
}

const insert = statement(
  'audit.insert',
  `INSERT INTO audit (administrator, subject, subject_id, action, before, after)
   VALUES ($1, $2, $3, CASE WHEN $4::jsonb IS NULL THEN 'CREATE' ELSE 'CHANGE' END, $4, $5)`,
);

/** Writes the row together with the commit of the change. */
export function insertAuditRow(run: RunInTransaction, row: AuditRow): void {
  run.atCommit(insert, [
    row.administrator,
    row.subject,
    row.subjectId,
    row.before && JSON.stringify(row.before),
    JSON.stringify(row.after),
  ]);
}
