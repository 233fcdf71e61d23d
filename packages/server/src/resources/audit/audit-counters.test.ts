import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { type AuditFilter, compactAuditCounters, listAuditEntries } from './audit-queries.ts';

const [one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const;
const scope: AdministratorScope = { role: 'administrator', walletAddress: one };
const subjectId = '00000000-0000-7000-8000-000000000001';

let test: TestDatabase;
afterEach(() => test.close());

/** Adds entries of two administrators, of a provider and of a holder, each another number of them. */
const addEntries = () =>
  runSql(
    test.ownerUrl,
    `INSERT INTO keyfront.audit (administrator, provider, holder, subject, subject_id, action, after)
     SELECT administrator, provider, holder, subject, CASE WHEN n = 1 THEN '${subjectId}' ELSE keyfront.uuid_v7() END, 'CREATE', '{}'
     FROM (VALUES ('${one}', NULL, NULL, 'ORDER', 5), ('${one}', NULL, NULL, 'CLIENT', 3), ('${other}', NULL, NULL, 'ORDER', 2),
       (NULL, 'PAYMENT', NULL, 'ORDER', 4), (NULL, NULL, '${other}', 'CLIENT', 1))
       AS author (administrator, provider, holder, subject, entries), generate_series(1, entries) AS n`,
  );

/** Compares the count of each filter with the rows. */
async function expectExactCounts(): Promise<void> {
  const filters: AuditFilter[] = [null, 'ORDER', 'CLIENT', 'PLANET'].flatMap((subject) =>
    [null, one, other].flatMap((administrator) =>
      [null, subjectId].map((id) => ({ subject, administrator, subjectId: id }) as AuditFilter),
    ),
  );
  for (const filter of filters) {
    const rows = await listAuditEntries(test.database, scope, filter, { page: 1, take: 100 });
    const entries = rows.filter(({ id }) => id !== null);
    const [counted] = await runSql<{ count: number }>(
      test.ownerUrl,
      `SELECT count(*)::int FROM keyfront.audit WHERE ${[
        filter.subject ? `subject = '${filter.subject}'` : 'true',
        filter.administrator ? `administrator = '${filter.administrator}'` : 'true',
        filter.subjectId ? `subject_id = '${filter.subjectId}'` : 'true',
      ].join(' AND ')}`,
    );
    expect([filter, rows[0]?.itemCount, entries.length]).toEqual([filter, counted?.count, counted?.count]);
  }
}

const compact = () => compactAuditCounters(test.database, new AbortController().signal);

describe('the counters of the audit log', () => {
  it('are exact before and after they are compacted, and when an operator deletes entries', {
    tags: ['long'],
  }, async () => {
    test = await createTestDatabase();
    await expectExactCounts();
    await addEntries();
    await expectExactCounts();
    await compact();
    await addEntries();
    await expectExactCounts();
    await runSql(test.ownerUrl, `DELETE FROM keyfront.audit WHERE provider = 'PAYMENT'`);
    await expectExactCounts();
    await compact();
    await expectExactCounts();
    expect(await runSql(test.ownerUrl, 'SELECT FROM keyfront.audit_counter_changes')).toEqual([]);
  });
});
