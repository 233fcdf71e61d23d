import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront } from '@keyfront/sdk';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serviceSettings, startDatabase } from '../../faults/src/processes/database.ts';
import { openStallablePipe } from '../../faults/src/processes/stallable-pipe.ts';
import { startStandby } from '../../faults/src/processes/standby.ts';
import { withDatabase } from '../support/database-url.ts';
import { FakeChain, fakeMarketplace, fakeToken } from '../support/fake-chain.ts';
import { startFakeNode } from '../support/fake-node.ts';
import { metricsToken, startPrometheus } from '../support/prometheus.ts';
import { needs } from '../support/requirements.ts';
import {
  type DemoSettings,
  onDemoDatabase,
  onTestCluster,
  startService,
  withDataFolder,
} from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

// Each alert fires in a real Prometheus because its condition was caused. `monitoring.test.ts` has the thresholds.

/** Runs the work while another session has an open transaction in which it has done this. */
async function whileOpen(url: string, statements: string, work: () => Promise<void>): Promise<void> {
  const session = new pg.Client({ connectionString: url, options: '-c search_path=keyfront' });
  await session.connect();
  try {
    await session.query(`BEGIN; ${statements}`);
    await work();
  } finally {
    await session.end();
  }
}

interface DemoHolder {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly primaryTokenId: string;
}

const readHolders = ({ KEYFRONT_DATA }: DemoSettings): [DemoHolder, DemoHolder] =>
  JSON.parse(readFileSync(join(KEYFRONT_DATA, 'demo.json'), 'utf8')).holders;

function openHolder(baseUrl: string, settings: DemoSettings): Keyfront {
  const [{ apiKey, secretKey }] = readHolders(settings);
  return new Keyfront({ baseUrl, apiKey, secretKey });
}

const askForNonce = (baseUrl: string) =>
  fetch(`${baseUrl}/auth/nonce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: `0x${'1'.repeat(40)}` }),
  });

describe('Prometheus fires', needs('Prometheus'), () => {
  it('when the database is away, and when the service is', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, METRICS_TOKEN: metricsToken });
      const base = await service.ready;
      const prometheus = await startPrometheus(base);
      const { pathname } = new URL(settings.DATABASE_OWNER_URL);
      const postgres = withDatabase(settings.DATABASE_OWNER_URL, 'postgres');
      const allow = (isAllowed: boolean) =>
        runSql(postgres, `ALTER DATABASE "${pathname.slice(1)}" ALLOW_CONNECTIONS ${isAllowed}`);
      try {
        await allow(false);
        await runSql(
          postgres,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${pathname.slice(1)}'`,
        );
        await prometheus.untilFires('KeyfrontErrors', () => askForNonce(base));
      } finally {
        await allow(true);
      }
      await service.end();
      await prometheus.untilFires('KeyfrontDown');
    });
  });

  it('when requests wait for a table and for connections, when a process does not run, and when nobody reads its log', async () => {
    await onDemoDatabase(async (settings) => {
      const pipe = openStallablePipe();
      const service = startService(
        { ...settings, METRICS_TOKEN: metricsToken, DATABASE_POOL_SIZE: '2', RATE_LIMIT: 'off' },
        pipe,
      );
      const base = await service.ready;
      const prometheus = await startPrometheus(base);
      const keyfront = openHolder(base, settings);
      const asked: Promise<unknown>[] = [];
      await whileOpen(settings.DATABASE_OWNER_URL, 'LOCK TABLE orders', async () => {
        await prometheus.untilFires('KeyfrontQueueing', async () => {
          if (asked.length < 20) asked.push(keyfront.orders.list().catch(() => undefined));
        });
      });
      await Promise.all(asked);
      await prometheus.untilFires('KeyfrontSlow');

      await prometheus.untilFires('KeyfrontEventLoop', async () => {
        service.child.kill('SIGSTOP');
        await delay(400);
        service.child.kill('SIGCONT');
      });

      pipe.stall();
      await prometheus.untilFires('KeyfrontLogDropped', () =>
        Promise.all(Array.from({ length: 100 }, () => fetch(`${base}/public/healthStatus`))),
      );
      pipe.resume();
      expect(await service.end()).toBe(0);
    });
  });

  it('when the clock of the machine is wrong', async () => {
    await onTestCluster(async (settings) => {
      const ahead = 'const { now } = Date; Date.now = () => now() + 10_000;';
      const service = startService({
        ...settings,
        METRICS_TOKEN: metricsToken,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}`,
      });
      const prometheus = await startPrometheus(await service.ready);
      await prometheus.untilFires('KeyfrontClockWrong');
    });
  });

  it('when events and deliveries wait', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await onDemoDatabase(async (settings) => {
      const service = startService({
        ...settings,
        METRICS_TOKEN: metricsToken,
        DATA_ENCRYPTION_KEY: 'ab'.repeat(32),
      });
      const baseUrl = await service.ready;
      const keyfront = openHolder(baseUrl, settings);
      await keyfront.webhooks.create({ url: `${receiver.url}/ok`, eventTypes: ['client.created'] });
      let number = 0;
      const createClient = () =>
        keyfront.clients.create({
          ...{ firstName: 'Ada', lastName: 'Example' },
          email: `ada-${number++}@example.org`,
        });
      const prometheus = await startPrometheus(baseUrl);
      await prometheus.untilPanelsShow(/^webhook_/, createClient);

      const url = settings.DATABASE_OWNER_URL;
      // Of the other holder: clients of one holder wait for each other.
      const [, { primaryTokenId }] = readHolders(settings);
      const insertClient = `INSERT INTO clients (token_id, first_name, last_name, email)
        VALUES ('${primaryTokenId}', 'Slow', 'Example', 'slow@example.org')`;
      await whileOpen(url, insertClient, async () => {
        await createClient();
        await prometheus.untilFires('KeyfrontEventsLate');
      });
      // Deliveries are queued, and nobody can sign them.
      await whileOpen(url, 'LOCK TABLE webhook_secrets', async () => {
        await createClient();
        await prometheus.untilFires('KeyfrontWebhooksLate');
      });
      expect(await service.end()).toBe(0);
    });
  });

  it('when a replica stands still, when two servers accept writes, and when the one that was promoted last is gone', async () => {
    await withDataFolder(async (folder) => {
      const primary = await startDatabase(join(folder, 'primary'));
      onTestFinished(() => primary.stop());
      const data = join(folder, 'data');
      const prepared = { ...serviceSettings(primary.loginUrl, primary.ownerUrl), KEYFRONT_DATA: data };
      const first = startService(prepared);
      await first.ready;
      expect(await first.end()).toBe(0);
      const standby = await startStandby(primary.ownerUrl, join(folder, 'standby'), { isSynchronous: false });
      let isStopped = false;
      const stop = async () => {
        if (!isStopped) await standby.stop();
        isStopped = true;
      };
      onTestFinished(stop);
      const withStandby = (url: string) => url.replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`);
      const service = startService({
        ...serviceSettings(withStandby(primary.loginUrl), withStandby(primary.ownerUrl)),
        DATABASE_REPLICA_URL: withStandby(primary.loginUrl),
        KEYFRONT_DATA: data,
        METRICS_TOKEN: metricsToken,
      });
      const prometheus = await startPrometheus(await service.ready);
      await prometheus.untilPanelsShow(/^database_(replica|primar)/);

      await runSql(standby.ownerUrl, 'SELECT pg_wal_replay_pause()');
      await prometheus.untilFires('KeyfrontReplicaLag');
      await prometheus.untilFires('KeyfrontReplicaLeftOut');
      await runSql(standby.ownerUrl, 'SELECT pg_wal_replay_resume()');

      await standby.promote();
      await prometheus.untilFires('KeyfrontTwoPrimaries');
      await stop();
      await prometheus.untilFires('KeyfrontPrimarySuperseded');
    });
  });

  it('when the chain is read too slowly, when its node is silent, and when final blocks change', async () => {
    const chain = new FakeChain(31_337, 12);
    const mine = (count: number) => {
      for (let mined = 0; mined < count; mined++) chain.mine([]);
    };
    mine(30);
    let slowMs = 0;
    let isSilent = false;
    const node = await startFakeNode(chain, async (response) => {
      await delay(slowMs);
      if (isSilent) response.destroy();
      return isSilent;
    });
    onTestFinished(() => node.close());
    await withDataFolder((folder) =>
      onTestCluster(async (settings) => {
        const service = startService({
          ...settings,
          KEYFRONT_DATA: folder,
          CHAIN_ID: '31337',
          RPC_URL: node.url,
          TOKEN_CONTRACT: fakeToken,
          MARKETPLACE_CONTRACT: fakeMarketplace,
          METRICS_TOKEN: metricsToken,
        });
        const prometheus = await startPrometheus(await service.ready);
        await prometheus.untilPanelsShow(/^chain_/);

        slowMs = 200;
        chain.finalAfter = 1_000;
        mine(200);
        await prometheus.untilFires('KeyfrontChainLag');
        slowMs = 0;
        isSilent = true;
        await prometheus.untilFires('KeyfrontChainNodeSilent');
        isSilent = false;
        chain.finalAfter = 12;
        mine(20);
        await until(
          () =>
            runSql<{ number: string }>(
              settings.DATABASE_OWNER_URL,
              'SELECT block_number AS number FROM keyfront.chain_positions',
            ),
          ([position]) => Number(position?.number) === chain.head.number,
        );
        chain.drop(100);
        mine(120);
        await prometheus.untilFires('KeyfrontChainStopped');
        expect(await service.end()).toBe(0);
      }),
    );
  });
});
