import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy } from '../../faults/src/processes/fault-proxy.ts';
import { findChildren } from '../../faults/src/processes/find-children.ts';
import { findPostmasterPid, getPostmasterPid } from '../../faults/src/processes/spawn-service.ts';
import { embeddedAccess } from '../../packages/server/src/boot/data-folder/open-database.ts';
import { curl } from '../support/curl.ts';
import { askForWallets, expectNoWallets, printedLink } from '../support/demo-console.ts';
import { expectRefusedStart } from '../support/failed-start.ts';
import { isAlive } from '../support/is-alive.ts';
import {
  onTestCluster,
  startService,
  startWithNpm,
  withDataFolder,
  withUsedDataFolder,
} from '../support/service-process.ts';
import { runSql } from '../support/test-database.ts';

describe('a start without settings', () => {
  it('refuses a data folder that another service uses, and restarts a database that was killed', async () => {
    await withUsedDataFolder(async (folder) => {
      const service = startService({ KEYFRONT_DATA: folder });
      const health = (await service.ready).replace('/api/v1', '/health/ready');
      const other = startService({ KEYFRONT_DATA: folder });
      expect(await other.ended).toBe(1);
      expect(other.output()).toBe(
        `The data folder ${folder} is in use by another process (${service.child.pid}): ` +
          'stop that process, or set KEYFRONT_DATA to another folder.\n',
      );

      const pid = findPostmasterPid(folder);
      process.kill(pid ?? 0, 'SIGKILL');
      const seen = new Set<number>();
      await expect
        .poll(async () => {
          const { status } = await curl(health);
          seen.add(status);
          return status === 200 && findPostmasterPid(folder) !== pid;
        })
        .toBe(true);
      for (const status of seen) expect([200, 503]).toContain(status);
      expect(await service.end()).toBe(0);
    });
  });

  it('creates its database, demo data and secrets, and keeps them for the next start', async () => {
    await withDataFolder(async (folder) => {
      const first = startService({ KEYFRONT_DATA: folder });
      const baseUrl = await first.ready;
      const lines = first.output().trimEnd().split('\n');
      expect(lines.at(-1)).toBe(`Keyfront is ready: ${baseUrl}`);
      expect(lines.filter((line) => /schema|migration/.test(line))).toEqual(['Creating the schema']);
      expect(lines.slice(-4, -1).join('\n')).toContain(`Reference  ${baseUrl.replace('/api/v1', '/docs')}`);
      expect(lines.slice(-4, -1).join('\n')).toContain('demo.json');
      expect(first.output()).toMatch(/^ {2}Version {4}\d+\.\d+\.\d+\S*$/m);
      // Only on a version whose maintainers have stopped supporting it.
      const isEndOfLife = process.versions.node.startsWith('20.');
      expect(lines.filter((line) => line.includes('end of life'))).toHaveLength(isEndOfLife ? 1 : 0);
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);

      const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      expect(demo.baseUrl).toBe(baseUrl);
      expect(demo.consoleUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\?token=[\w-]{43}$/);
      expect(lines).toContain(`  Console    ${demo.consoleUrl}`);
      expect(demo.holders).toHaveLength(2);
      expect(await modeOf(join(folder, 'demo.json'))).toBe('600');
      expect(await modeOf(join(folder, 'secrets.json'))).toBe('600');

      // Guarded routes are closed; the same bytes at both addresses.
      const single = await curl(`${baseUrl}/planets`);
      const doubled = await curl(`${baseUrl}/api/v1/planets`);
      expect(single.status).toBe(401);
      expect(doubled.text).toBe(single.text);
      expect((await curl(baseUrl.replace('/api/v1', '/health/ready'))).status).toBe(200);
      const secrets = await readFile(join(folder, 'secrets.json'), 'utf8');
      for (const secret of [...Object.values<string>(JSON.parse(secrets)), demo.holders[0].secretKey]) {
        expect(first.output()).not.toContain(secret);
      }

      const postmaster = findPostmasterPid(folder);
      expect(postmaster).not.toBeNull();
      expect(await first.end('SIGTERM')).toBe(0);
      expect(isAlive(postmaster ?? 0)).toBe(false);

      const second = startService({ KEYFRONT_DATA: folder, JWT_SECERT: 'open sesame' });
      await second.ready;
      expect(second.output()).not.toContain('Creating the schema');
      expect(second.output()).toMatch(/"level":"warn".*JWT_SECERT is no setting.*did you mean JWT_SECRET\?/);
      expect(second.output()).not.toContain('sesame');
      expect(first.output()).not.toContain('is no setting');
      const demoAgain = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      expect(demoAgain.holders).toEqual(demo.holders);
      expect(new URL(demoAgain.consoleUrl).search).toBe(new URL(demo.consoleUrl).search);
      expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe(secrets);
      expect(await second.end('SIGINT')).toBe(0);
    });
  });
});

describe('a start in production', () => {
  it('does not turn the demo on, although the embedded database holds it', async () => {
    await withUsedDataFolder(async (folder) => {
      const production = { KEYFRONT_DATA: folder, NODE_ENV: 'production', DATABASE_URL: 'embedded' };
      const service = startService(production);
      await expectNoWallets(service);
      expect(service.output()).not.toContain('demo.json');
      const trial = startService({ ...production, KEYFRONT_DEMO: 'on' });
      await trial.ready;
      expect(await askForWallets(printedLink(trial))).toContain('PrivateKey');
      expect(await trial.end()).toBe(0);
    });
  });
});

describe('npm start', () => {
  it('omits the demo with KEYFRONT_DEMO=off, and stops the service and its database on SIGTERM', async () => {
    await withDataFolder(async (folder) => {
      const npm = startWithNpm({ KEYFRONT_DATA: folder, KEYFRONT_DEMO: 'off' });
      await npm.ready;
      await expect(stat(join(folder, 'demo.json'))).rejects.toThrow(/ENOENT/);
      expect(npm.output()).not.toContain('demo');
      const postmaster = getPostmasterPid(folder);
      expect(isAlive(postmaster)).toBe(true);
      await npm.end('SIGTERM');
      expect(npm.output()).toContain('Keyfront is shutting down');
      expect(isAlive(postmaster)).toBe(false);
    });
  });
});

describe('a failed start', () => {
  it('names a port that is in use, with one process and with several', async () => {
    const taker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taker.once('listening', resolve));
    const address = taker.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const sentence = new RegExp(
      `^Port ${port} on 127\\.0\\.0\\.1 is already in use: stop the program that listens there, or set PORT .+\\.\n$`,
    );
    await onTestCluster(async (database) => {
      await expectRefusedStart({ ...database, PORT: port }, sentence);
      await expectRefusedStart({ ...database, PORT: port, WORKERS: '2' }, sentence);
    });
    taker.close();
  });

  it('says what to do with a database that an earlier development version has created', async () => {
    const turnBack = `UPDATE keyfront.migrations SET name = '0001_scope.sql', checksum = 'x'`;
    await onTestCluster(async (database) => {
      await runSql(database.DATABASE_OWNER_URL, turnBack);
      await expectRefusedStart(
        database,
        /^The database was created by a development version .+ cannot be carried over: start on an empty database\.\n$/,
      );
    });
    await withUsedDataFolder(async (folder) => {
      const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
      const postgres = await startEmbeddedPostgres({
        dataFolder: folder,
        ...embeddedAccess(secrets),
        durable: false,
      });
      await runSql(postgres.ownerUrl, turnBack);
      await postgres.stop();
      await expectRefusedStart(
        { KEYFRONT_DATA: folder },
        new RegExp(
          `^The database was created by a development version .+: delete the data folder ${folder}, or set KEYFRONT_DATA to ` +
            'another one, then start again\\.\n$',
        ),
      );
    });
  });
});

describe('several processes', () => {
  it('start concurrently on one empty database: one migrates, both serve', async () => {
    await onTestCluster(async (database) => {
      const services = [startService(database), startService(database)];
      const baseUrls = await Promise.all(services.map((service) => service.ready));
      for (const baseUrl of baseUrls) {
        expect((await curl(baseUrl.replace('/api/v1', '/health/ready'))).status).toBe(200);
      }
      const migrators = services.filter((service) => service.output().includes('Creating the schema'));
      expect(migrators).toHaveLength(1);
      expect(await Promise.all(services.map((service) => service.end()))).toEqual([0, 0]);
      // No demo in a database that somebody brought.
      expect(await runSql(database.DATABASE_OWNER_URL, 'SELECT FROM keyfront.holders')).toEqual([]);
    }, 'nothing');
  });

  it('serve one port with WORKERS, share their metrics, and replace one that dies', async () => {
    await onTestCluster(async (database) => {
      const metricsToken = 'a token for the metrics';
      const service = startService({ ...database, WORKERS: '2', METRICS_TOKEN: metricsToken });
      const baseUrl = await service.ready;
      // Each curl is a connection of its own, and connections go to the workers in turn.
      const sendRequests = () =>
        Promise.all(Array.from({ length: 8 }, () => curl(`${baseUrl}/public/healthStatus`)));
      // A worker writes its log a moment after the response, so the test waits for the lines.
      const listPids = () =>
        service
          .output()
          .split('\n')
          .filter((line) => line.includes('healthStatus'))
          .map((line): number => JSON.parse(line).pid);
      await sendRequests();
      await expect.poll(listPids, { timeout: 20_000 }).toHaveLength(8);
      const before = new Set(listPids());
      expect(before.size).toBe(2);
      expect(before.has(service.child.pid ?? 0)).toBe(false);
      const { text } = await curl('--oauth2-bearer', metricsToken, baseUrl.replace('/api/v1', '/metrics'));
      expect(text).toContain('route="/api/v1/public/healthStatus",status="200"} 8');

      const [victim = 0] = before;
      process.kill(victim, 'SIGKILL');
      await expect
        .poll(
          async () => {
            await sendRequests();
            return new Set(listPids()).size;
          },
          { timeout: 20_000 },
        )
        .toBe(3);
      expect(await service.end()).toBe(0);
    });
  });

  it('try again to replace a worker while the database is unavailable, without starting more workers', async () => {
    await onTestCluster(async (database) => {
      const network = await startFaultProxy(database.DATABASE_URL);
      onTestFinished(() => network.close());
      // Their ends take longer than the first pause, as on a busy machine.
      const endSlowly = `import cluster from 'node:cluster'; if (cluster.isWorker)
        process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(endSlowly)}`;
      const service = startService({ ...database, DATABASE_URL: network.url, WORKERS: '2', NODE_OPTIONS });
      await service.ready;
      const listWorkers = () => findChildren(service.child.pid ?? 0);
      const countLines = (text: string) => service.output().split(text).length - 1;
      const [victim = 0] = listWorkers();
      network.fail('refuses connections');
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => countLines('cannot be used'), { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
      network.heal();
      expect(countLines('ended unexpectedly')).toBe(1);
      await expect.poll(() => listWorkers().length, { timeout: 60_000 }).toBe(2);
      expect(await service.end()).toBe(0);
    });
  });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
