import { randomUUID } from 'node:crypto';
import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { systemScope } from '../../database/transactions/scope.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const noteOf = (note: string | null) => ({ adminApproval: 'REJECTED', rejectionNote: note });

/** Writes an entry about a client, and returns the id of the client. */
async function insertEntry(before: object | null, after: object): Promise<string> {
  const id = randomUUID();
  await runSql(
    test.ownerUrl,
    `INSERT INTO keyfront.audit (administrator, subject, subject_id, action, before, after)
     VALUES ('0x${'a'.repeat(40)}', 'CLIENT', $1, $2, $3, $4)`,
    [id, before ? 'CHANGE' : 'READ', before && JSON.stringify(before), JSON.stringify(after)],
  );
  return id;
}

const readEntry = async (id: string) => {
  const rows = await runSql<{ before: object; after: object }>(
    test.ownerUrl,
    'SELECT before, after FROM keyfront.audit WHERE subject_id = $1',
    [id],
  );
  return rows[0];
};

/** As the role of administrators and jobs, which may do the most. */
const runAsService = (text: string, values: unknown[] = []) =>
  test.database.query(systemScope, statement('', text), values);

it.each([
  [`after = '{"adminApproval": "VERIFIED", "rejectionNote": "late"}'`],
  [`after = '{}'`],
  [`after = after - 'rejectionNote'`],
  [`after = after || '{"rejectionNote": "harmless"}'`],
  [`after = after || '{"adminApproval": "erased"}'`],
  [`after = after || '{"reason": "erased"}'`],
  [`before = after`],
  [`before = '{}'`],
  [`before = NULL, after = '{}'`],
])('no entry is changed by the service: SET %s', async (change) => {
  const [before, after] = [noteOf('early'), noteOf('late')];
  const id = await insertEntry(before, after);
  await expect(runAsService(`UPDATE audit SET ${change} WHERE subject_id = $1`, [id])).rejects.toThrow(
    'An entry of the audit log cannot be changed',
  );
  expect(await readEntry(id)).toEqual({ before, after });
});

it('other columns are not changed, and no entry is deleted', async () => {
  const id = await insertEntry(noteOf(null), noteOf('late'));
  for (const text of [
    `UPDATE audit SET administrator = '0x${'b'.repeat(40)}' WHERE subject_id = $1`,
    'UPDATE audit SET created_at = now() WHERE subject_id = $1',
    'DELETE FROM audit WHERE subject_id = $1',
  ])
    await expect(runAsService(text, [id])).rejects.toMatchObject({ code: '42501' });
  await expect(runAsService('TRUNCATE audit')).rejects.toMatchObject({ code: '42501' });
});

it('free texts are erased', async () => {
  const note = await insertEntry(noteOf('early'), noteOf('late'));
  const reason = await insertEntry(null, { reason: 'an inspection', recordId: 7 });
  const erase = (column: string, field: string) =>
    `${column} = jsonb_set(${column}, '{${field}}', '"erased"')`;
  await runAsService(
    `UPDATE audit SET ${erase('before', 'rejectionNote')}, ${erase('after', 'rejectionNote')} WHERE subject_id = $1`,
    [note],
  );
  await runAsService(`UPDATE audit SET ${erase('after', 'reason')} WHERE subject_id = $1`, [reason]);
  expect(await readEntry(note)).toEqual({ before: noteOf('erased'), after: noteOf('erased') });
  expect(await readEntry(reason)).toEqual({ before: null, after: { reason: 'erased', recordId: 7 } });
});
