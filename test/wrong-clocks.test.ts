import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deleteRequestNonces } from '../packages/server/src/boot/jobs/delete-expired.ts';
import {
  DatabaseClock,
  readDatabaseTime,
} from '../packages/server/src/database/coordination/database-clock.ts';
import { startGuardedApp } from './support/guarded-app.ts';
import { signBound } from './support/sign-bound.ts';
import { noLimits } from './support/test-app.ts';
import { testOperation } from './support/test-operation.ts';

const hourMs = 3_600_000;

/** A service with an operation that changes something. */
async function start(createClock: NonNullable<Parameters<typeof startGuardedApp>[2]>['createClock']) {
  const service = await startGuardedApp(
    (router) => {
      const definition = { method: 'POST', path: '/test/runs', id: 'run', response: Type.Null() } as const;
      router.add(testOperation(definition), () => null);
    },
    noLimits,
    { ...(createClock && { createClock }) },
  );
  onTestFinished(() => service.close());
  const key = createPrivateKey(readFileSync(service.key.file));
  const url = `${service.base}/test/runs`;
  const sign = (createdMs: number) => {
    const created = Math.floor(createdMs / 1000);
    return signBound(key, { method: 'POST', url }, { created, nonce: randomUUID() });
  };
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(url, { method: 'POST', headers });
    const { reason } = (await response.json()) as { reason?: string };
    return { status: response.status, reason };
  };
  const deleteNonces = () => deleteRequestNonces.work(service.database, new AbortController().signal);
  return { service, sign, send, deleteNonces };
}

describe('a process that is wrong about the time', () => {
  it.each([-hourMs, -11 * 60_000])(
    'does not run a change twice (%i ms)',
    { tags: ['long'] },
    async (aheadMs) => {
      const { sign, send, deleteNonces } = await start(async () => () => Date.now() + aheadMs);
      const signed = sign(Date.now() + aheadMs);
      const first = await send(signed);
      await deleteNonces();
      const second = await send(signed);
      for (const { status, reason } of [first, second]) {
        expect(status).toBe(401);
        expect(reason).toMatch(/^the nonce has expired by the clock of the database/);
      }
    },
  );

  it.each([-8 * 60_000, 0, hourMs])(
    'refuses a repetition after nonces were deleted (%i ms)',
    async (aheadMs) => {
      const { sign, send, deleteNonces } = await start(async () => () => Date.now() + aheadMs);
      const signed = sign(Date.now() + aheadMs);
      expect((await send(signed)).status).toBe(200);
      await deleteNonces();
      const { status, reason } = await send(signed);
      expect(status).toBe(401);
      expect(reason).toMatch(/^the nonce was used before/);
    },
  );
});

describe('a machine whose clock is wrong', () => {
  it.each([-hourMs, hourMs])('serves callers whose clock is right (%i ms)', async (aheadMs) => {
    const reported: number[] = [];
    const { service, sign, send } = await start(async (database) => {
      const clock = new DatabaseClock({
        read: () => readDatabaseTime(database),
        now: () => Date.now() + aheadMs,
        onDifference: (seconds) => reported.push(seconds),
      });
      await clock.check();
      return () => clock.now();
    });
    expect(Math.round((reported[0] ?? 0) / 10) * 10).toBe(aheadMs / 1_000);
    expect((await send(sign(Date.now()))).status).toBe(200);
    expect((await send(sign(Date.now() + aheadMs))).reason).toMatch(/^created is \d+ seconds (before|after)/);
    const token = await service.signIn(service.ada);
    expect((await service.call(token, 'GET', '/dapp/users/me')).status).toBe(200);
  });
});
