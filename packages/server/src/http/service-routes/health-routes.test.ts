import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestApp } from '../../../../../test/support/test-app.ts';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { atMostEvery } from './at-most-every.ts';

describe('atMostEvery', () => {
  it('reads again only after the interval, and not while it reads', async () => {
    let now = 0;
    let reads = 0;
    let finish = () => {};
    const read = atMostEvery(
      1_000,
      () => new Promise<number>((resolve) => (finish = () => resolve(++reads))),
      () => now,
    );
    const pending = [read(), read()];
    now = 5_000;
    pending.push(read());
    finish();
    expect(await Promise.all(pending)).toEqual([1, 1, 1]);
    const second = read();
    finish();
    expect(await second).toBe(2);
    now = 5_999;
    expect(await read()).toBe(2);
    now = 6_000;
    const third = read();
    finish();
    expect(await third).toBe(3);
  });

  it('shares errors too', async () => {
    let reads = 0;
    const read = atMostEvery(
      1_000,
      async () => {
        throw new Error(`failure ${++reads}`);
      },
      () => 0,
    );
    await expect(read()).rejects.toThrow('failure 1');
    await expect(read()).rejects.toThrow('failure 1');
  });
});

it('/health/ready asks the database at most once a second, however often it is called', async () => {
  const testDatabase = await createTestDatabase();
  const asked = vi.spyOn(testDatabase.database, 'hasMigrations');
  const service = await startTestApp({ ...testDatabase });
  onTestFinished(async () => {
    await service.close();
    await testDatabase.close();
  });
  const begin = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(`${service.origin}/health/ready`)).status),
  );
  const seconds = (performance.now() - begin) / 1_000;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(asked.mock.calls.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});

it('/health/ready says that the only primary is superseded, without naming servers', async () => {
  const testDatabase = await createTestDatabase();
  const primaries = { isSuperseded: true };
  const service = await startTestApp({ ...testDatabase, primaries });
  onTestFinished(async () => {
    await service.close();
    await testDatabase.close();
  });
  const response = await fetch(`${service.origin}/health/ready`);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('another one was promoted after it');
  expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
  primaries.isSuperseded = false;
  expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
});
