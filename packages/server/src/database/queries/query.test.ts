import type { Statement } from '@keyfront/postgres';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../database.ts';
import { type SystemScope, systemScope } from '../transactions/scope.ts';
import type { RunInTransaction } from '../transactions/transaction.ts';
import { convertAt, listAt } from './list-at.ts';
import { query } from './query.ts';

const sum = query<{ sum: number }>('test.sum', 'SELECT $1::int + $2::int AS sum');

/** A transaction whose statements return these rows. */
function returning(rows: object[]) {
  const run = vi.fn(async (_statement: Statement<unknown>, _values?: unknown[]) => rows);
  const atCommit = vi.fn();
  return { tx: Object.assign(run, { atCommit }) as unknown as RunInTransaction, run, atCommit };
}

describe('a query', () => {
  it('returns its rows, the first one, or whether there are any', async () => {
    const values = (one: number, other: number) => [one, other];
    const some = returning([{ sum: 3 }, { sum: 4 }]);
    expect(await sum.list(values)(some.tx, 1, 2)).toEqual([{ sum: 3 }, { sum: 4 }]);
    expect(await sum.find(values)(some.tx, 1, 2)).toEqual({ sum: 3 });
    expect(await sum.get(values)(some.tx, 1, 2)).toEqual({ sum: 3 });
    expect(await sum.has(values)(some.tx, 1, 2)).toBe(true);
    expect(await sum.run(values)(some.tx, 1, 2)).toBeUndefined();
    expect(some.run).toHaveBeenCalledTimes(5);
    expect(some.run).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'test.sum' }), [1, 2]);
    const none = returning([]);
    expect(await sum.find(values)(none.tx, 1, 2)).toBeNull();
    expect(await sum.has(values)(none.tx, 1, 2)).toBe(false);
    await expect(sum.get(values)(none.tx, 1, 2)).rejects.toThrow('test.sum');
  });

  it('runs in the scope that it gets, or in that of the service', async () => {
    const run = vi.fn(async () => [{ sum: 3 }]);
    const database = { query: run } as unknown as Database;
    const scope: SystemScope = { role: 'system', replicaRead: undefined };
    await sum.findInScope((_scope: SystemScope, one: number) => [one, 2])(database, scope, 1);
    expect(run).toHaveBeenLastCalledWith(scope, expect.objectContaining({ name: 'test.sum' }), [1, 2]);
    await sum.findAsSystem((one: number) => [one, 2])(database, 1);
    expect(run).toHaveBeenLastCalledWith(systemScope, expect.anything(), [1, 2]);
  });

  it('is left for the commit', () => {
    const { tx, run, atCommit } = returning([]);
    sum.atCommit((one: number) => [one, 2])(tx, 1);
    expect(run).not.toHaveBeenCalled();
    expect(atCommit).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'test.sum' }), [1, 2]);
  });
});

it('puts resources into the places of their snapshots', async () => {
  const { tx, run } = returning([
    { number: 3, name: 'third' },
    { number: 1, name: 'first' },
  ]);
  const list = convertAt(listAt<{ name: string }>('test.list-at', 'SELECT'), (row) => ({
    ...row,
    seen: true,
  }));
  expect(await list(tx, ['{}', '{}', '{}'])).toEqual([
    { name: 'first', seen: true },
    null,
    { name: 'third', seen: true },
  ]);
  expect(run).toHaveBeenCalledWith(expect.anything(), [['{}', '{}', '{}']]);
});
