import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../test/support/any-holder.ts';
import { expectAllIdle } from '../../../../test/support/connections.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const scope = anyHolder;

let test: TestDatabase;
/** With one connection for each kind of scope, so that whatever is left on it is met again. */
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = new Database({ url: test.loginUrl, poolSize: 1 });
  await runSql(
    test.ownerUrl,
    `SET search_path = keyfront;
     CREATE TABLE test_notes (id bigint GENERATED ALWAYS AS IDENTITY, note text, token_id text);
     GRANT SELECT, INSERT ON test_notes TO keyfront_service, keyfront_platform;
     CREATE FUNCTION test_fail(state text) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'failed on purpose' USING ERRCODE = state;
     END
     $$`,
  );
});
beforeEach(() => runSql(test.ownerUrl, 'TRUNCATE keyfront.test_notes'));
afterAll(async () => {
  await database.close();
  await test.drop();
});

const write = statement(
  'test.write',
  `INSERT INTO test_notes (note, token_id) VALUES ($1, current_setting('keyfront.token_id', true))`,
);
const read = statement<{ note: string }>('test.read', 'SELECT note FROM test_notes ORDER BY id');
const fail = statement('test.fail', 'SELECT test_fail($1)');

const notes = async () =>
  (await runSql<{ note: string }>(test.ownerUrl, 'SELECT note FROM keyfront.test_notes ORDER BY id')).map(
    ({ note }) => note,
  );

/** Fails the test unless the connections wait outside of any transaction, with no scope on them. */
async function expectCleanConnections(): Promise<void> {
  await expectAllIdle(test.ownerUrl);
  const look = statement<{ token: string | null }>(
    'test.look',
    `SELECT nullif(current_setting('keyfront.token_id', true), '') AS token`,
  );
  expect(await database.queryShared(look)).toEqual([{ token: null }]);
}

describe('what is left to the commit', () => {
  it('is done behind the work, in the order in which it was asked for', async () => {
    const result = await database.transaction(scope, async (run) => {
      run.atCommit(write, ['third']);
      await run(write, ['first']);
      run.atCommit(write, ['fourth']);
      await run(write, ['second']);
      run.atCommit(write, ['fifth']);
      return (await run(read)).map(({ note }) => note);
    });
    expect(result).toEqual(['first', 'second']);
    expect(await notes()).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    await expectCleanConnections();
  });

  it('is done also where the work ran no statement, and in the scope', async () => {
    await database.transaction(scope, async (run) => {
      run.atCommit(write, ['one']);
      run.atCommit(write, ['two']);
    });
    expect(await runSql(test.ownerUrl, 'SELECT note, token_id FROM keyfront.test_notes ORDER BY id')).toEqual(
      [
        { note: 'one', token_id: '7' },
        { note: 'two', token_id: '7' },
      ],
    );
    await expectCleanConnections();
  });

  it.each([
    ['the first', ['fail', 'a', 'b']],
    ['one in the middle', ['a', 'fail', 'b']],
    ['the last', ['a', 'b', 'fail']],
  ])('undoes everything when %s of it fails, and says why that one did', async (_which, steps) => {
    for (const runsBefore of [true, false]) {
      const failing = database.transaction(scope, async (run) => {
        if (runsBefore) await run(write, ['before']);
        for (const step of steps) {
          if (step === 'fail') run.atCommit(fail, ['22012']);
          else run.atCommit(write, [step]);
        }
      });
      await expect(failing).rejects.toMatchObject({ code: '22012', message: 'failed on purpose' });
      expect(await notes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it('is not done when the work fails', async () => {
    const reason = new Error('the work thought better of it');
    const failing = database.transaction(scope, async (run) => {
      run.atCommit(write, ['never']);
      throw reason;
    });
    await expect(failing).rejects.toBe(reason);
    expect(await notes()).toEqual([]);
    await expectCleanConnections();
  });
});

describe('work that fails', () => {
  it('undoes what it did, and its own error comes out', async () => {
    const reason = new Error('the work thought better of it');
    for (const each of [scope, systemScope]) {
      const failing = database.transaction(each, async (run) => {
        await run(write, ['undone']);
        throw reason;
      });
      await expect(failing).rejects.toBe(reason);
      expect(await notes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it.each([
    ['parsed', statement('test.unparsable', 'SELEC 1'), []],
    ['bound', statement('test.unbound', 'SELECT $1::int'), ['x']],
    ['run', statement('test.unrun', 'SELECT 1 / (SELECT 0)'), []],
  ])('leaves nothing on the connection where a statement cannot be %s', async (_how, broken, values) => {
    for (const isFirst of [true, false]) {
      const failing = database.transaction(scope, async (run) => {
        if (!isFirst) await run(write, ['undone']);
        await run(broken, values);
      });
      await expect(failing).rejects.toThrow();
      await expectCleanConnections();
    }
    await database.transaction(scope, (run) => run(write, ['fine']));
    expect(await notes()).toEqual(['fine']);
  });

  it('undoes all even if it goes on after a statement that failed', async () => {
    const failing = database.transaction(scope, async (run) => {
      await run(write, ['undone']);
      await run(fail, ['22012']).catch(() => undefined);
      run.atCommit(write, ['never']);
    });
    await expect(failing).rejects.toThrow(/transaction is aborted/);
    expect(await notes()).toEqual([]);
    await expectCleanConnections();
  });

  it('that swallows the failure of its last statement is not taken for done', async () => {
    const failing = database.transaction(scope, async (run) => {
      await run(write, ['undone']);
      await run(fail, ['22012']).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });
});

describe('work that goes on after its transaction', () => {
  it.each([
    ['committed', async () => undefined],
    ['rolled back', () => Promise.reject(new Error('the work thought better of it'))],
  ])('runs nothing any more when that was %s', async (_how, end) => {
    let runLater: () => Promise<unknown> = () => Promise.resolve();
    const ending = database.transaction(scope, async (run) => {
      runLater = () => run(write, ['too late']);
      await run(read);
      await end();
    });
    await Promise.allSettled([ending]);
    await expect(runLater()).rejects.toThrow('The transaction is over');
    expect(await notes()).toEqual([]);
    await expectCleanConnections();
  });
});

describe('a conflict that passes', () => {
  it.each(['40001', '40P01'])('of state %s has the work run again', async (state) => {
    for (const isAtCommit of [false, true]) {
      let runs = 0;
      const result = await database.transaction(scope, async (run) => {
        runs++;
        await run(write, [`run ${runs}`]);
        if (runs < 5 && isAtCommit) run.atCommit(fail, [state]);
        else if (runs < 5) await run(fail, [state]);
        return runs;
      });
      expect(result).toBe(5);
      await expectCleanConnections();
    }
    expect(await notes()).toEqual(['run 5', 'run 5']);
  });

  it('that does not pass in five runs is told as the database being busy', async () => {
    for (const each of [scope, systemScope]) {
      let runs = 0;
      const failing = database.transaction(each, async (run) => {
        runs++;
        await run(write, ['undone']);
        run.atCommit(fail, ['40001']);
      });
      await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(runs).toBe(5);
      expect(await notes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it('is not seen in any other failure', async () => {
    for (const state of ['22012', '23505', '25P02', '42501']) {
      let runs = 0;
      const failing = database.transaction(scope, async (run) => {
        runs++;
        await run(fail, [state]);
      });
      await expect(failing).rejects.toMatchObject({ code: state });
      expect(runs).toBe(1);
    }
    await expectCleanConnections();
  });
});

it('needs no transaction for work without a statement', async () => {
  expect(await database.transaction(scope, async () => 'nothing to do')).toBe('nothing to do');
  await database.queryShared(read);
  await expectCleanConnections();
});
