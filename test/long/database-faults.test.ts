import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../packages/server/src/database/migrations/migrate.ts';
import { readMigrations } from '../../packages/server/src/database/migrations/migrations.ts';
import type { HolderScope } from '../../packages/server/src/database/transactions/scope.ts';
import { startBlackHole } from '../support/black-hole.ts';
import { curl } from '../support/curl.ts';
import { insertManyOrders } from '../support/order-data.ts';
import { onTestCluster, startService } from '../support/service-process.ts';
import { startTestAppOn } from '../support/test-app.ts';
import { createTestDatabase, runSql } from '../support/test-database.ts';
import { startTransactionPooler } from '../support/transaction-pooler.ts';
import { until } from '../support/until.ts';

const body = JSON.stringify({ walletAddress: `0x${'a'.repeat(40)}` });
const requestNonce = (baseUrl: string) =>
  curl('--header', 'content-type: application/json', '--data-binary', body, `${baseUrl}/auth/nonce`);
const readiness = (baseUrl: string) => curl(baseUrl.replace('/api/v1', '/health/ready'));

describe('a new version that starts during a slow download', () => {
  it('waits for the download with its migration, and does not make the running version wait', async () => {
    const database = await createTestDatabase('demo');
    const [scope] = await runSql<HolderScope>(
      database.ownerUrl,
      `SELECT 'holder' AS role, holders.id AS "holderId", primary_token_id::int AS "tokenId",
         wallet_address AS "walletAddress" FROM keyfront.holders LIMIT 1`,
    );
    if (!scope) throw new Error('The demo has no holder');
    await insertManyOrders(database.ownerUrl, scope.tokenId, 30_000);
    // Long names make the file larger than the buffers of the connection.
    await runSql(
      database.ownerUrl,
      `UPDATE keyfront.clients SET first_name = repeat('a', 100), last_name = repeat('b', 100)`,
    );
    const running = await startTestAppOn(database, {
      guard: async () => ({ scope, credentialId: scope.walletAddress }),
    });
    const download = connect(running.port, '127.0.0.1').pause();
    download.on('error', () => undefined);
    onTestFinished(async () => {
      download.destroy();
      await running.close();
    });
    download.write(
      'GET /api/v1/orders/export?orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval= ' +
        'HTTP/1.1\r\nhost: x\r\naccept: text/csv\r\n\r\n',
    );
    await until(
      () =>
        runSql(
          database.ownerUrl,
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH%'
             AND state = 'idle in transaction'`,
        ),
      (streams) => streams.length === 1,
    );

    const next = {
      name: '9999_next.sql',
      sql: 'ALTER TABLE orders ADD COLUMN next text; ALTER TABLE clients ADD COLUMN next text',
      checksum: 'x',
    };
    const migrations = [...(await readMigrations()), next];
    const messages: string[] = [];
    const migrating = migrate({
      ...database,
      migrations,
      onProgress: (message) => messages.push(message),
    });
    await until(
      () => messages,
      (all) => all.includes('Waiting for a lock: a table of the migration 9999_next.sql is in use'),
    );
    const list = `${running.origin}/api/v1/dapp/orders?take=10&page=1`;
    const slowest = { ms: 0 };
    for (let round = 0; round < 10; round++) {
      const startedAt = performance.now();
      expect((await curl(list)).status).toBe(200);
      slowest.ms = Math.max(slowest.ms, performance.now() - startedAt);
    }
    // Behind a migration that waits, they would take as long as the download.
    expect(slowest.ms).toBeLessThan(5_000);
    expect(await database.database.hasMigrations(migrations)).toBe(false);
    download.destroy();
    await migrating;
    expect(await database.database.hasMigrations(migrations)).toBe(true);
    expect((await curl(list)).status).toBe(200);
  });
});

describe('a network that loses everything', () => {
  it('makes the service respond with 503 within ten seconds, and recovers', async () => {
    await onTestCluster(async (settings) => {
      const network = await startBlackHole(settings.DATABASE_URL);
      onTestFinished(() => network.close());
      const service = startService({ ...settings, DATABASE_URL: network.url });
      const baseUrl = await service.ready;
      expect((await requestNonce(baseUrl)).status).toBe(201);
      network.swallow();
      const startedAt = performance.now();
      const responses = await Promise.all([
        ...Array.from({ length: 10 }, () => requestNonce(baseUrl)),
        readiness(baseUrl),
      ]);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      for (const { status, headers } of responses) {
        expect(status).toBe(503);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
      network.restore();
      expect((await requestNonce(baseUrl)).status).toBe(201);
      expect((await readiness(baseUrl)).status).toBe(200);
      network.swallow();
      expect(await service.end()).toBe(0);
    });
  });
});

describe('a service behind a connection pooler in transaction mode', () => {
  it('serves with DATABASE_DIRECT_URL, and refuses to start without it', async () => {
    await onTestCluster(async (settings) => {
      const pooler = await startTransactionPooler(settings.DATABASE_URL, { startupOptions: 'refused' });
      onTestFinished(() => pooler.close());
      const refused = startService({ ...settings, DATABASE_URL: pooler.url });
      expect(await refused.ended).toBe(1);
      expect(refused.output()).toMatch(
        /^The database at .+ is reached through a connection pooler, .+: set DATABASE_DIRECT_URL to .+\.\n$/,
      );
      const service = startService({
        ...settings,
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: settings.DATABASE_URL,
      });
      const baseUrl = await service.ready;
      expect((await requestNonce(baseUrl)).status).toBe(201);
      expect((await readiness(baseUrl)).status).toBe(200);
      expect(await service.end()).toBe(0);
    });
  });
});

describe('a service that gets SIGTERM while it runs', () => {
  it('ends in time with exit code 0 if the database no longer responds', async () => {
    await onTestCluster(async (settings) => {
      const network = await startBlackHole(settings.DATABASE_URL);
      onTestFinished(() => network.close());
      const DATA_ENCRYPTION_KEY = 'ab'.repeat(32);
      const service = startService({ ...settings, DATABASE_URL: network.url, DATA_ENCRYPTION_KEY });
      await service.ready;
      network.swallow();
      const startedAt = performance.now();
      expect(await service.end('SIGTERM')).toBe(0);
      // The parts have 3 seconds.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      // Warnings about lost connections are expected.
      expect(service.output()).not.toMatch(/"level":"(error|fatal)"|FastifyError/);
    });
  });
});

describe('a service that gets SIGTERM while it starts', () => {
  it('ends at once if the database does not respond', async () => {
    await onTestCluster(async (settings) => {
      const network = await startBlackHole(settings.DATABASE_OWNER_URL);
      onTestFinished(() => network.close());
      network.swallow();
      const service = startService({ ...settings, DATABASE_OWNER_URL: network.url });
      await until(
        () => network.connectionCount,
        (count) => count > 0,
      );
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output()).toBe('Keyfront was stopped before it was ready\n');
    });
  });

  it('ends at once while another process migrates', async () => {
    await onTestCluster(async (settings) => {
      const other = new pg.Client({ connectionString: settings.DATABASE_OWNER_URL });
      await other.connect();
      other.on('error', () => undefined);
      await other.query('SELECT pg_advisory_lock(7305011940)');
      const service = startService(settings);
      await until(
        () => service.output(),
        (output) => output.includes('Waiting for another process that is migrating the database'),
      );
      expect(await service.end('SIGTERM')).toBe(0);
      await other.end();
    });
  });
});
