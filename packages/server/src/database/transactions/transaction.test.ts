import { DatabaseUnavailable, statement } from '@keyfront/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { expectAllIdle } from '../../../../../test/support/connections.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { Database } from '../database.ts';
import { systemScope } from './scope.ts';

const scope = anyHolder;

let test: TestDatabase;
/** With one connection for each role, so that the next statement finds whatever was left on it. */
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
  await test.close();
});

const write = statement(
  'test.write',
  `INSERT INTO test_notes (note, token_id) VALUES ($1, current_setting('keyfront.token_id', true))`,
);
const read = statement<{ note: string }>('test.read', 'SELECT note FROM test_notes ORDER BY id');
const fail = statement('test.fail', 'SELECT test_fail($1)');

const listNotes = async () =>
  (await runSql<{ note: string }>(test.ownerUrl, 'SELECT note FROM keyfront.test_notes ORDER BY id')).map(
    ({ note }) => note,
  );

/** Fails the test unless all connections are outside a transaction and without a scope. */
async function expectCleanConnections(): Promise<void> {
  await expectAllIdle(test.ownerUrl);
  const readToken = statement<{ token: string | null }>(
    'test.look',
    `SELECT nullif(current_setting('keyfront.token_id', true), '') AS token`,
  );
  expect(await database.queryShared(readToken)).toEqual([{ token: null }]);
}

describe('statements at the commit', () => {
  it('run after the work, in the order of the calls', async () => {
    const result = await database.transaction(scope, async (tx) => {
      tx.atCommit(write, ['third']);
      await tx(write, ['first']);
      tx.atCommit(write, ['fourth']);
      await tx(write, ['second']);
      tx.atCommit(write, ['fifth']);
      return (await tx(read)).map(({ note }) => note);
    });
    expect(result).toEqual(['first', 'second']);
    expect(await listNotes()).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    await expectCleanConnections();
  });

  it('run in the scope, also when the work ran no statement', async () => {
    await database.transaction(scope, async (tx) => {
      tx.atCommit(write, ['one']);
      tx.atCommit(write, ['two']);
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
  ])('roll everything back when %s of them fails, with the error of that one', async (_which, steps) => {
    for (const runsBefore of [true, false]) {
      const failing = database.transaction(scope, async (tx) => {
        if (runsBefore) await tx(write, ['before']);
        for (const step of steps) {
          if (step === 'fail') tx.atCommit(fail, ['22012']);
          else tx.atCommit(write, [step]);
        }
      });
      await expect(failing).rejects.toMatchObject({ code: '22012', message: 'failed on purpose' });
      expect(await listNotes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it('do not run when the work fails', async () => {
    const reason = new Error('the work failed');
    const failing = database.transaction(scope, async (tx) => {
      tx.atCommit(write, ['never']);
      throw reason;
    });
    await expect(failing).rejects.toBe(reason);
    expect(await listNotes()).toEqual([]);
    await expectCleanConnections();
  });
});

describe('work that fails', () => {
  it('is rolled back, and its error is passed on', async () => {
    const reason = new Error('the work failed');
    for (const each of [scope, systemScope]) {
      const failing = database.transaction(each, async (tx) => {
        await tx(write, ['undone']);
        throw reason;
      });
      await expect(failing).rejects.toBe(reason);
      expect(await listNotes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it.each([
    ['parsed', statement('test.unparsable', 'SELEC 1'), []],
    ['bound', statement('test.unbound', 'SELECT $1::int'), ['x']],
    ['run', statement('test.unrun', 'SELECT 1 / (SELECT 0)'), []],
  ])('leaves the connection clean when a statement cannot be %s', async (_how, broken, values) => {
    for (const isFirst of [true, false]) {
      const failing = database.transaction(scope, async (tx) => {
        if (!isFirst) await tx(write, ['undone']);
        await tx(broken, values);
      });
      await expect(failing).rejects.toThrow();
      await expectCleanConnections();
    }
    await database.transaction(scope, (tx) => tx(write, ['fine']));
    expect(await listNotes()).toEqual(['fine']);
  });

  it('is rolled back even if it continues after a failed statement', async () => {
    const failing = database.transaction(scope, async (tx) => {
      await tx(write, ['undone']);
      await tx(fail, ['22012']).catch(() => undefined);
      tx.atCommit(write, ['never']);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012', message: 'failed on purpose' });
    expect(await listNotes()).toEqual([]);
    await expectCleanConnections();
  });

  it('fails even if it catches the error of its last statement', async () => {
    const failing = database.transaction(scope, async (tx) => {
      await tx(write, ['undone']);
      await tx(fail, ['22012']).catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await listNotes()).toEqual([]);
  });
});

describe('statements that are sent together', () => {
  const late = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      return await result;
    } finally {
      // The rejection of the first statement reaches its caller after those of its followers.
      await new Promise(setImmediate);
    }
  };

  it.each([
    ['a statement error', '22012'],
    ['a statement timeout', '57014'],
    ['a conflict', '40001'],
  ])('fail with the first error, %s, not with that of a follower', async (_what, state) => {
    for (const follower of [read, write]) {
      const errors: unknown[] = [];
      const failing = database.transaction(scope, async (tx) => {
        const followers = [tx(fail, [state]), tx(follower, follower === write ? ['never'] : [])];
        for (const each of followers) each.catch((error) => errors.push(error));
        await Promise.all([late(followers[0] as Promise<unknown>), followers[1]]);
      });
      if (state === '22012') await expect(failing).rejects.toMatchObject({ code: state });
      else await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(errors[1]).toMatchObject({ code: '25P02' });
      expect(await listNotes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it('fail with the error that the work throws, if it is its own', async () => {
    const reason = new Error('the work failed');
    const failing = database.transaction(scope, async (tx) => {
      await Promise.allSettled([tx(fail, ['23505']), tx(read)]);
      throw reason;
    });
    await expect(failing).rejects.toBe(reason);
    await expectCleanConnections();
  });
});

describe('work that continues after its transaction', () => {
  it.each([
    ['committed', async () => undefined],
    ['rolled back', () => Promise.reject(new Error('the work failed'))],
  ])('cannot run statements when that was %s', async (_how, end) => {
    let runLater: () => Promise<unknown> = () => Promise.resolve();
    const ending = database.transaction(scope, async (tx) => {
      runLater = () => tx(write, ['too late']);
      await tx(read);
      await end();
    });
    await Promise.allSettled([ending]);
    await expect(runLater()).rejects.toThrow('The transaction is over');
    expect(await listNotes()).toEqual([]);
    await expectCleanConnections();
  });
});

describe('a conflict with another transaction', () => {
  it.each(['40001', '40P01'])('repeats the work for the error code %s', async (state) => {
    for (const isAtCommit of [false, true]) {
      let runs = 0;
      const result = await database.transaction(scope, async (tx) => {
        runs++;
        await tx(write, [`run ${runs}`]);
        if (runs < 5 && isAtCommit) tx.atCommit(fail, [state]);
        else if (runs < 5) await tx(fail, [state]);
        return runs;
      });
      expect(result).toBe(5);
      await expectCleanConnections();
    }
    expect(await listNotes()).toEqual(['run 5', 'run 5']);
  });

  it('fails with DatabaseUnavailable after five attempts', async () => {
    for (const each of [scope, systemScope]) {
      let runs = 0;
      const failing = database.transaction(each, async (tx) => {
        runs++;
        await tx(write, ['undone']);
        tx.atCommit(fail, ['40001']);
      });
      await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(runs).toBe(5);
      expect(await listNotes()).toEqual([]);
      await expectCleanConnections();
    }
  });

  it('is the only failure that repeats the work', async () => {
    for (const state of ['22012', '23505', '25P02', '42501']) {
      let runs = 0;
      const failing = database.transaction(scope, async (tx) => {
        runs++;
        await tx(fail, [state]);
      });
      await expect(failing).rejects.toMatchObject({ code: state });
      expect(runs).toBe(1);
    }
    await expectCleanConnections();
  });
});

it('runs work without statements without a transaction', async () => {
  expect(await database.transaction(scope, async () => 'nothing to do')).toBe('nothing to do');
  await database.queryShared(read);
  await expectCleanConnections();
});
