import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { runGroup, type SharedWork } from './merged-statements.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await runSql(
    test.ownerUrl,
    `SET search_path = keyfront;
     CREATE TABLE test_notes (id bigint GENERATED ALWAYS AS IDENTITY, note text, statement_number integer);
     GRANT SELECT, INSERT ON test_notes TO keyfront_service;
     CREATE SEQUENCE test_statements;
     GRANT USAGE ON test_statements TO keyfront_service`,
  );
});
beforeEach(() => runSql(test.ownerUrl, 'TRUNCATE keyfront.test_notes'));
afterAll(() => test.close());

const double = statement<{ value: number; ran: number }>(
  'test.double',
  `SELECT member::integer, value * $1::integer AS value, (SELECT nextval('test_statements'))::integer AS ran
   FROM unnest($2::integer[]) WITH ORDINALITY AS wanted (value, member) WHERE value > 0 ORDER BY value DESC`,
  { merges: 'reads' },
);
const write = statement(
  'test.write-many',
  `INSERT INTO test_notes (note, statement_number)
   SELECT note, (SELECT nextval('test_statements')) FROM unnest($1::text[]) AS note`,
  { merges: 'writes' },
);
const writeBy = statement(
  'test.write-by',
  `INSERT INTO test_notes (note) SELECT $1 || ': ' || note FROM unnest($2::text[]) AS note`,
  { merges: 'writes' },
);
const writeOne = statement('test.write-one', 'INSERT INTO test_notes (note) VALUES ($1)');

const together = <Result>(works: readonly SharedWork<Result>[]) =>
  test.database.transaction(anyHolder, (tx) => runGroup(tx, works));

const listNotes = () =>
  runSql<{ note: string; statement_number: number | null }>(
    test.ownerUrl,
    'SELECT note, statement_number FROM keyfront.test_notes ORDER BY id',
  );

describe('requests that share a transaction', () => {
  it('execute a statement that merges once, and each gets its own rows', async () => {
    const outcomes = await together(
      [3, 1, 0, 2].map(
        (value): SharedWork<unknown> =>
          (tx) =>
            tx(double, [10, [value]]),
      ),
    );
    const rows = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome));
    const ran = expect.any(Number);
    expect(rows).toEqual([
      [{ member: 1, value: 30, ran }],
      [{ member: 2, value: 10, ran }],
      [],
      [{ member: 4, value: 20, ran }],
    ]);
    expect(new Set((rows as { ran: number }[][]).flat().map((row) => row.ran)).size).toBe(1);
  });

  it('also merge what they run after different numbers of steps', async () => {
    const outcomes = await together(
      [1, 2].map(
        (value): SharedWork<number | undefined> =>
          async (tx) => {
            const [first] = await tx(double, [2, [value]]);
            if (value === 2) await Promise.resolve();
            const [second] = await tx(double, [2, [first?.value ?? 0]]);
            return second?.ran;
          },
      ),
    );
    expect(outcomes[0]).toEqual(outcomes[1]);
  });

  it('refuse to merge calls with different values', async () => {
    const works = [1, 2].map(
      (factor): SharedWork<unknown> =>
        (tx) =>
          tx(double, [factor, [1]]),
    );
    const outcomes = await together(works);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are each run alone if what they queue for the commit does not merge', async () => {
    const repeated = test.database.sharedRequests.repeated;
    const names = Array.from({ length: 18 }, (_, n) => `author ${n}`);
    await Promise.all(
      names.map((author) =>
        test.database.shareTransaction(anyHolder, [], async (tx) => tx.atCommit(writeBy, [author, ['note']])),
      ),
    );
    expect((await listNotes()).map(({ note }) => note).toSorted()).toEqual(
      names.map((author) => `${author}: note`).toSorted(),
    );
    // The first two were alone from the beginning.
    expect(test.database.sharedRequests.repeated - repeated).toBe(16);
  });

  it('write at the commit what those queue that succeed, each in its order', async () => {
    const outcomes = await together([
      async (tx) => {
        tx.atCommit(write, [['a1']]);
        tx.atCommit(writeOne, ['a2']);
        tx.atCommit(write, [['a3', 'a4']]);
      },
      async (tx) => {
        tx.atCommit(write, [['failed']]);
        throw new Error('failed on purpose');
      },
      async (tx) => {
        tx.atCommit(write, [['c1']]);
        tx.atCommit(write, [['c2']]);
      },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const notes = await listNotes();
    expect(notes.map(({ note }) => note)).toEqual(['a1', 'c1', 'a2', 'a3', 'a4', 'c2']);
    const numbers = notes.map((note) => note.statement_number);
    expect(numbers[0]).toBe(numbers[1]);
    expect(numbers[3]).toBe(numbers[5]);
  });

  it('write together what only some queue after something else', async () => {
    const note =
      (text: string): SharedWork<void> =>
      async (tx) =>
        tx.atCommit(write, [[text]]);
    await together([
      note('a'),
      async (tx) => {
        tx.atCommit(writeOne, ['b1']);
        tx.atCommit(write, [['b2']]);
      },
      note('c'),
    ]);
    const notes = await listNotes();
    expect(notes.map((each) => each.note)).toEqual(['b1', 'a', 'b2', 'c']);
    expect(new Set(notes.slice(1).map((each) => each.statement_number)).size).toBe(1);
  });

  it.each([writeOne, write])(
    'do not run $name before the commit: a request that fails would leave its effect',
    async (early) => {
      const [outcome] = await together([(tx) => tx(early, [['too early']]), async () => []]);
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining(early.name) },
      });
      expect(await listNotes()).toEqual([]);
    },
  );

  it('do not wait for one that waits for something else', async () => {
    const outcomes = await together<void>([
      async (tx) => {
        tx.requireOwnTransaction();
        await new Promise(() => undefined);
      },
      async (tx) => tx.atCommit(write, [['written']]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await listNotes()).toHaveLength(1);
  });

  it('fail together if a statement fails', async () => {
    const broken = statement('test.broken-merge', 'SELECT 1 / cardinality($1::text[]) AS member, 1 / 0', {
      merges: 'reads',
    });
    await expect(
      together<unknown>([async (tx) => tx.atCommit(write, [['never']]), (tx) => tx(broken, [['x']])]),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await listNotes()).toEqual([]);
  });
});
