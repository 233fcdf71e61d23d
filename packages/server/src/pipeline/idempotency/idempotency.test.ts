import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { countWaitingForLock, expectAllGivenBack } from '../../../../../test/support/connections.ts';
import { countRoundTrips } from '../../../../../test/support/round-trips.ts';
import { testCipher } from '../../../../../test/support/test-app.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import type { Caller } from '../../auth/guard.ts';
import type { Database } from '../../database/database.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { type IdempotentResponse, respondOnce, type Transact } from './idempotency.ts';
import { createResponseCipher } from './response-cipher.ts';

const caller: Caller = { credentialId: 'a key', scope: anyHolder };

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await runSql(
    test.ownerUrl,
    `SET search_path = keyfront;
     CREATE TABLE test_notes (id bigint GENERATED ALWAYS AS IDENTITY, note text);
     CREATE TABLE test_row AS SELECT 1 AS id;
     GRANT SELECT, INSERT ON test_notes TO keyfront_service;
     GRANT SELECT, UPDATE ON test_row TO keyfront_service;
     CREATE FUNCTION test_fail(state text) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'failed on purpose' USING ERRCODE = state;
     END
     $$`,
  );
});
beforeEach(() => runSql(test.ownerUrl, 'TRUNCATE keyfront.test_notes, keyfront.idempotency_keys'));
afterAll(() => test.close());

const write = statement('test.write', 'INSERT INTO test_notes (note) VALUES ($1)');
const lockRow = statement('test.lock-row', 'SELECT FROM test_row WHERE id = 1 FOR NO KEY UPDATE');
const fail = statement('test.fail', 'SELECT test_fail($1)');

type Work = (tx: RunInTransaction) => Promise<unknown>;
const transact: Transact = (work) => database.transaction(caller.scope, work);

/** Sends the one request there is, under the one key, for some work. The answer tells which time it was done. */
let done = 0;
function ask(work: Work): Promise<IdempotentResponse> {
  const request = { method: 'POST', url: '/notes', body: Buffer.from('{}') };
  return respondOnce(transact, { request, caller, key: 'the key', cipher: testCipher }, async (tx) => {
    await work(tx);
    return { statusCode: 201, body: Buffer.from(`done ${++done}`), subjectId: null };
  });
}

const notes = async () =>
  (await runSql<{ note: string }>(test.ownerUrl, 'SELECT note FROM keyfront.test_notes ORDER BY id')).map(
    ({ note }) => note,
  );

/** A promise and what settles it. */
function makeSignal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Every way in which work can end, each after having written something where it can. */
const ways: [string, Work][] = [
  [
    'succeeds',
    async (tx) => {
      tx.atCommit(write, ['never']);
      await tx(write, ['never']);
    },
  ],
  [
    'is refused at once',
    () => {
      throw new ApiError('CART_EMPTY', { message: 'No' });
    },
  ],
  [
    'is refused later',
    async (tx) => {
      await tx(write, ['never']);
      throw new ApiError('CART_EMPTY', { message: 'No' });
    },
  ],
  [
    'fails in its first statement',
    async (tx) => {
      tx.atCommit(write, ['never']);
      await tx(fail, ['22012']);
    },
  ],
  [
    'meets a conflict that would pass',
    async (tx) => {
      await tx(write, ['never']);
      await tx(fail, ['40001']);
    },
  ],
  ['meets a conflict at once', (tx) => tx(fail, ['40001'])],
  [
    'goes on after one part of it has failed',
    async (tx) => {
      await Promise.all([tx(fail, ['22012']), tx(write, ['never']).then(() => tx(write, ['never']))]);
    },
  ],
];

describe('the first request', () => {
  it('has its first statements travel with the claim, and its last ones with the commit', async () => {
    await ask((tx) => tx(lockRow));
    await runSql(test.ownerUrl, 'TRUNCATE keyfront.idempotency_keys');
    const trips = countRoundTrips(test.ownerUrl);
    try {
      await ask(async (tx) => {
        tx.atCommit(write, ['last']);
        await Promise.all([tx(write, ['first']), tx(write, ['second'])]);
      });
      expect(trips.count).toBe(2);
    } finally {
      trips.stop();
    }
    expect(await notes()).toEqual(['first', 'second', 'last']);
  });

  it('does its later statements too', async () => {
    const answer = await ask(async (tx) => {
      await tx(write, ['first']);
      await Promise.all([tx(write, ['second']), tx(write, ['third'])]);
      await new Promise((resolve) => setImmediate(resolve));
      await tx(write, ['fourth']);
    });
    expect(answer.isReplayed).toBe(false);
    expect(await notes()).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it.each([
    ['is refused', new ApiError('CART_EMPTY', { message: 'No' })],
    ['fails', new Error('broken')],
  ])('leaves nothing when it %s, and the key free', async (_how, reason) => {
    const failing = ask(async (tx) => {
      tx.atCommit(write, ['never']);
      await tx(write, ['never']);
      throw reason;
    });
    await expect(failing).rejects.toBe(reason);
    expect((await ask((tx) => tx(write, ['again']))).isReplayed).toBe(false);
    expect(await notes()).toEqual(['again']);
  });

  it('that fails in a statement says why that one did', async () => {
    const failing = ask((tx) => Promise.all([tx(write, ['a']), tx(fail, ['22012']), tx(write, ['b'])]));
    await expect(failing).rejects.toMatchObject({ code: '22012', message: 'failed on purpose' });
    expect(await notes()).toEqual([]);
    await expectAllGivenBack(test);
  });

  it('is run again after a conflict that passes', async () => {
    let runs = 0;
    const answer = await ask(async (tx) => {
      runs++;
      await tx(write, [`run ${runs}`]);
      if (runs < 3) tx.atCommit(fail, ['40001']);
    });
    expect([answer.isReplayed, runs]).toEqual([false, 3]);
    expect(await notes()).toEqual(['run 3']);
  });

  it('whose claim fails says why the claim did, and does nothing', async () => {
    await runSql(test.ownerUrl, 'REVOKE SELECT ON keyfront.idempotency_keys FROM keyfront_service');
    try {
      let isOn = false;
      const failing = ask(async (tx) => {
        await tx(write, ['never']).catch(() => undefined);
        await tx(write, ['never']);
        isOn = true;
      });
      await expect(failing).rejects.toMatchObject({ code: '42501' });
      expect([isOn, await notes()]).toEqual([false, []]);
    } finally {
      await runSql(test.ownerUrl, 'GRANT SELECT ON keyfront.idempotency_keys TO keyfront_service');
    }
    await expectAllGivenBack(test);
  });

  it('under a key whose answer has expired is a first one', async () => {
    const [one, , other] = [
      await ask((tx) => tx(write, ['one'])),
      await runSql(test.ownerUrl, 'UPDATE keyfront.idempotency_keys SET expires_at = now()'),
      await ask((tx) => tx(write, ['other'])),
    ];
    expect([one.isReplayed, other.isReplayed]).toEqual([false, false]);
    expect(await ask(() => Promise.resolve())).toEqual({ ...other, isReplayed: true });
    expect(await notes()).toEqual(['one', 'other']);
  });
});

describe('a request that was answered', () => {
  it.each(ways)('gets that answer, and leaves nothing, if its work now %s', async (_how, work) => {
    const first = await ask((tx) => tx(write, ['first']));
    let runs = 0;
    const again = await ask((tx) => {
      runs++;
      return work(tx);
    });
    expect(again).toEqual({ ...first, isReplayed: true });
    expect(runs).toBe(1);
    expect(await notes()).toEqual(['first']);
    await expectAllGivenBack(test);
  });

  it('runs none of its later statements', async () => {
    await ask((tx) => tx(write, ['first']));
    let isOn = false;
    await ask(async (tx) => {
      await tx(lockRow);
      await tx(lockRow);
      isOn = true;
    });
    expect(isOn).toBe(false);
  });
});

describe('a request that comes while the first one runs', () => {
  it.each(ways)('gets a conflict, and leaves nothing, if its work %s', async (_how, work) => {
    const begun = makeSignal();
    const end = makeSignal();
    const first = ask(async (tx) => {
      await tx(write, ['first']);
      begun.give();
      await end.given;
    });
    await begun.given;
    let runs = 0;
    const second = ask((tx) => {
      runs++;
      return work(tx);
    });
    await expect(second).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
      headers: { 'retry-after': '1' },
    });
    end.give();
    expect((await first).isReplayed).toBe(false);
    expect(runs).toBe(1);
    expect(await notes()).toEqual(['first']);
    await expectAllGivenBack(test);
  });

  it('waits for what the first one has locked, holding up nobody but its like', async () => {
    const begun = makeSignal();
    const end = makeSignal();
    const first = ask(async (tx) => {
      await tx(lockRow);
      begun.give();
      await end.given;
      await tx(write, ['first']);
    });
    await begun.given;
    // Five connections, one of which the first one has: four of these wait for its row, the others for them.
    const others = Array.from({ length: 50 }, () =>
      ask(async (tx) => {
        await tx(lockRow);
        await tx(write, ['never']);
      }),
    );
    const outcomes = Promise.allSettled(others);
    await until(
      () => countWaitingForLock(test.ownerUrl),
      (count) => count === 4,
    );
    end.give();
    const answer = await first;
    let conflicts = 0;
    for (const outcome of await outcomes) {
      if (outcome.status === 'fulfilled') {
        expect(outcome.value).toEqual({ ...answer, isReplayed: true });
      } else {
        expect(outcome.reason).toBeInstanceOf(ApiError);
        expect(outcome.reason).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
        conflicts++;
      }
    }
    expect(conflicts).toBeGreaterThanOrEqual(4);
    expect(await notes()).toEqual(['first']);
    await expectAllGivenBack(test);
  });
});

describe('a response that was encrypted with another secret', () => {
  it('is refused, and its request is not executed again', async () => {
    const request = { method: 'POST', url: '/notes', body: Buffer.from('{}') };
    const askWith = (secret: string, previousSecret: string | null = null) =>
      respondOnce(
        transact,
        { request, caller, key: 'the key', cipher: createResponseCipher({ secret, previousSecret }) },
        async (tx) => {
          await tx(write, ['noted']);
          return { statusCode: 201, body: Buffer.from('done'), subjectId: null };
        },
      );
    await askWith('the old secret');
    await expect(askWith('a new secret')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_RESPONSE_UNREADABLE',
      status: 422,
    });
    expect(await askWith('a new secret', 'the old secret')).toMatchObject({
      statusCode: 201,
      isReplayed: true,
    });
    expect(await notes()).toEqual(['noted']);
  });
});
