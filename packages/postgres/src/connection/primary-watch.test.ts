import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts';
import { PrimaryWatch } from './primary-watch.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it.each([
  ['two addresses of one server', ({ hostname, port }: URL) => `${hostname}:${port},localhost:${port}`],
  ['a server and one that is away', ({ hostname, port }: URL) => `${hostname}:1,${hostname}:${port}`],
])('finds one primary behind %s', async (_what, hosts) => {
  const conflicts: string[] = [];
  const url = new URL(test.loginUrl);
  const watch = new PrimaryWatch({
    url: test.loginUrl.replace(url.host, hosts(url)),
    onConflict: (sentence) => conflicts.push(sentence),
  });
  await watch.start();
  await watch.close();
  expect([watch.count, conflicts]).toEqual([1, []]);
});
