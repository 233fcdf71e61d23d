import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { Credentials } from '../fuzz/src/identities.ts';
import { formatReport } from '../fuzz/src/report.ts';
import { runFuzz } from '../fuzz/src/run-fuzz.ts';
import { createTokens } from '../packages/server/src/auth/tokens.ts';
import { createAuthentication } from '../packages/server/src/boot/authentication.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { getPrepared } from './support/prepared.ts';
import { isLongRun } from './support/scale.ts';
import { noLimits, startTestAppOn, testSecret } from './support/test-app.ts';
import { createTestDatabase } from './support/test-database.ts';

/** More requests with other seeds: `npm run fuzz`. */
const requests = Number(process.env.FUZZ_REQUESTS ?? (isLongRun ? 1000 : 250));
/** `npm run fuzz` allows 10 seconds. Here other tests run at the same time. */
const timeoutMs = 120_000;
const seed = Number(process.env.FUZZ_SEED ?? 1);

it(`responds to ${requests} random requests in the envelope, without a 5xx, in time and in few bytes`, async () => {
  const testDatabase = await createTestDatabase('demo');
  const { file } = await getPrepared('demo');
  const credentials: Credentials & { admin: { walletAddress: string } } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const { database, loginUrl } = testDatabase;
  const tokens = createTokens({ secret: testSecret, previousSecret: null });
  const adminWallets = [credentials.admin.walletAddress.toLowerCase()];
  const feed = new ChangeFeed({ url: loginUrl });
  const logger = { warn: () => undefined };
  const authentication = createAuthentication({
    database,
    feed,
    tokens,
    limits: noLimits,
    adminWallets,
    publicUrl: null,
    logger,
  });
  await feed.start();
  const service = await startTestAppOn(testDatabase, {
    guard: authentication.guard,
    tokens,
    signIn: { domain: null, uri: null, chainId: 1, rpcUrl: null, adminWallets },
  });
  onTestFinished(async () => {
    await service.app.close();
    await authentication.close();
    await feed.close();
    await testDatabase.close();
  });
  const baseUrl = `${service.origin}/api/v1`;
  const report = await runFuzz({ baseUrl, credentials, requests, seed, timeoutMs });
  expect(report.faults.length, `FUZZ_SEED=${seed}\n${formatReport(report, baseUrl)}`).toBe(0);
  expect(report.requests).toBe(requests);
  // The requests reach the operations, and are not all refused at the door.
  expect(report.countByStatus.get(200)).toBeGreaterThan(requests / 8);
  expect(report.countByStatus.get(201)).toBeGreaterThan(requests / 500);
});
