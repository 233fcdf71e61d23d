import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailable } from '@keyfront/postgres';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { SharedWork } from './merged-statements.ts';
import { TransactionGroups } from './transaction-groups.ts';

/** A transaction that ends when the test says so. */
interface Running {
  readonly names: readonly string[];
  /** Commits it, or rolls back what belongs to these works. */
  commit(failing?: readonly string[]): void;
  fail(error: Error): void;
}

/** Groups whose transactions are in the hands of the test. */
function openGroups() {
  const running: Running[] = [];
  const alone: Running[] = [];
  /** The names of the works that were called. */
  let called: string[] = [];
  const groups = new TransactionGroups<string>(
    (_context, works) =>
      new Promise((resolve, reject) => {
        called = [];
        for (const work of works) void work(undefined as never);
        const names = called;
        running.push({
          names,
          commit: (failing = []) =>
            resolve(
              names.map((name) =>
                failing.includes(name)
                  ? { status: 'rejected', reason: new Error('not of interest') }
                  : { status: 'fulfilled', value: `${name} together` as never },
              ),
            ),
          fail: reject,
        });
      }),
  );
  const run = (name: string, conflictKeys: readonly string[] = [], lane = 'lane') => {
    const work: SharedWork<string> = async () => {
      called.push(name);
      return name;
    };
    return groups.run(lane, lane, {
      conflictKeys,
      work,
      runAlone: () =>
        new Promise<string>((resolve, reject) => {
          alone.push({ names: [name], commit: () => resolve(`${name} alone`), fail: reject });
        }),
    });
  };
  return { groups, run, running, alone, namesOf: (all: readonly Running[]) => all.map(({ names }) => names) };
}

const databaseError = (code: string) =>
  Object.assign(new pg.DatabaseError(`state ${code}`, 0, 'error'), { code });

/** Lets every promise that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('transactions of one caller', () => {
  it('run alone while there are at most two', async () => {
    const { run, alone, running } = openGroups();
    const [one, other] = [run('one'), run('other')];
    for (const each of alone) each.commit();
    expect(await Promise.all([one, other])).toEqual(['one alone', 'other alone']);
    const third = run('third');
    alone[2]?.commit();
    expect(await third).toBe('third alone');
    expect(running).toEqual([]);
  });

  it('share the next one if they arrive while two are running', async () => {
    const { groups, run, alone, running, namesOf } = openGroups();
    const results = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => run(name)));
    expect([namesOf(alone), namesOf(running)]).toEqual([[['a'], ['b']], []]);
    expect(groups.hasWaitingRequests).toBe(true);
    alone[0]?.commit();
    await settled();
    expect(namesOf(running)).toEqual([['c', 'd', 'e']]);
    alone[1]?.commit();
    await settled();
    expect(groups.hasWaitingRequests).toBe(false);
    running[0]?.commit();
    expect(await results).toEqual(['a alone', 'b alone', 'c together', 'd together', 'e together']);
  });

  it('are at most sixteen in one, in the order of their arrival', async () => {
    const { run, alone, running, namesOf } = openGroups();
    const names = Array.from({ length: 36 }, (_, n) => `${n}`);
    const results = Promise.all(names.map((name) => run(name)));
    for (const each of alone) each.commit();
    await settled();
    expect(namesOf(running)).toEqual([names.slice(2, 18), names.slice(18, 34)]);
    running[0]?.commit();
    running[1]?.commit();
    await settled();
    expect(namesOf(running).slice(2)).toEqual([names.slice(34)]);
    running[2]?.commit();
    expect(await results).toHaveLength(36);
  });

  it('with a key in common do not share one', async () => {
    const { run, alone, running, namesOf } = openGroups();
    const results = Promise.all([
      run('a'),
      run('b'),
      run('c', ['x', 'y']),
      run('d', ['z']),
      run('e', ['y']),
      run('f', ['e']),
    ]);
    alone[0]?.commit();
    await settled();
    expect(namesOf(running)).toEqual([['c', 'd', 'f']]);
    alone[1]?.commit();
    await settled();
    expect(namesOf(alone)).toEqual([['a'], ['b'], ['e']]);
    running[0]?.commit();
    alone[2]?.commit();
    expect(await results).toHaveLength(6);
  });

  it('with a key in common with a running one are alone, or wait', async () => {
    const { run, alone, running, namesOf } = openGroups();
    const results = Promise.all([
      run('a', ['x']),
      run('b'),
      run('c', ['x']),
      run('d'),
      run('e', ['x']),
      run('f'),
    ]);
    alone[1]?.commit();
    await settled();
    expect([namesOf(alone), namesOf(running)]).toEqual([[['a'], ['b'], ['c']], []]);
    alone[2]?.commit();
    await settled();
    expect(namesOf(running)).toEqual([['d', 'f']]);
    alone[0]?.commit();
    await settled();
    expect(namesOf(alone)).toEqual([['a'], ['b'], ['c'], ['e']]);
    alone[3]?.commit();
    running[0]?.commit();
    expect(await results).toHaveLength(6);
  });

  it('do not wait for those of another caller', () => {
    const { run, alone, namesOf } = openGroups();
    for (const name of ['a', 'b', 'c']) void run(name);
    void run('d', [], 'another lane');
    expect(namesOf(alone)).toEqual([['a'], ['b'], ['d']]);
  });

  it('do not wait for one that takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { run, alone, running, namesOf } = openGroups();
      const results = Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)));
      vi.advanceTimersByTime(200);
      expect(namesOf(running)).toEqual([['c', 'd']]);
      // It no longer counts, so its end starts nothing.
      alone[0]?.commit();
      alone[1]?.commit();
      running[0]?.commit();
      expect(await results).toEqual(['a alone', 'b alone', 'c together', 'd together']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a shared transaction', () => {
  async function share() {
    const { run, alone, running, namesOf } = openGroups();
    const first = [run('a'), run('b')];
    const others = ['c', 'd', 'e'].map((name) => run(name));
    for (const each of alone.splice(0)) each.commit();
    await Promise.all(first);
    return { shared: running[0], others, alone, namesOf };
  }

  it('leaves a request that fails in it to a transaction of its own', async () => {
    const { shared, others, alone, namesOf } = await share();
    shared?.commit(['d']);
    expect([await others[0], await others[2]]).toEqual(['c together', 'e together']);
    expect(namesOf(alone)).toEqual([['d']]);
    alone[0]?.fail(new Error('of its own'));
    await expect(others[1]).rejects.toThrow('of its own');
  });

  it('leaves all of its requests to transactions of their own if it is rolled back', async () => {
    const { shared, others, alone, namesOf } = await share();
    shared?.fail(databaseError('40001'));
    await settled();
    expect(namesOf(alone)).toEqual([['c'], ['d'], ['e']]);
    for (const each of alone) each.commit();
    expect(await Promise.all(others)).toEqual(['c alone', 'd alone', 'e alone']);
  });

  it.each([
    new DatabaseUnavailable('The database did not respond'),
    new Error('write EPROTO'),
    databaseError('XX000'),
    databaseError('40003'),
  ])('repeats nothing if nobody knows whether it was committed: %s', async (error) => {
    const { shared, others, alone } = await share();
    shared?.fail(error);
    for (const each of others) await expect(each).rejects.toBe(error);
    expect(alone).toEqual([]);
  });
});

it('requests keep their asynchronous context, which traces depend on', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: string[][] = [];
  const groups = new TransactionGroups<null>((_, works) =>
    Promise.allSettled(works.map((work) => work(undefined as never))),
  );
  const run = (name: string) =>
    storage.run(name, () => {
      const look = async (how: string) => {
        await settled();
        seen.push([name, how, storage.getStore() ?? '']);
        if (name === 'c' && how === 'together') throw new Error('to be done alone');
      };
      return groups.run('lane', null, {
        conflictKeys: [],
        work: () => look('together'),
        runAlone: () => look('alone'),
      });
    });
  await Promise.all(['a', 'b', 'c', 'd'].map(run));
  expect(seen.toSorted()).toEqual([
    ['a', 'alone', 'a'],
    ['b', 'alone', 'b'],
    ['c', 'alone', 'c'],
    ['c', 'together', 'c'],
    ['d', 'together', 'd'],
  ]);
  expect(groups.outcomeCounts).toEqual({ committed: 1, repeated: 1 });
});
