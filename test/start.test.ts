import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { describe, expect, it } from 'vitest';
import { findPostmasterPid } from '../faults/src/processes/spawn-service.ts';
import { embeddedAccess } from '../packages/server/src/boot/data-folder/open-database.ts';
import { curl } from './support/curl.ts';
import { expectRefusedStart } from './support/failed-start.ts';
import { isAlive } from './support/is-alive.ts';
import { signWithOpenssl } from './support/openssl.ts';
import {
  onDemoDatabase,
  onTestCluster,
  startService,
  withDataFolder,
  withUsedDataFolder,
} from './support/service-process.ts';
import { runSql } from './support/test-database.ts';

const jwtSecret = 'a secret for tests, long enough to be one';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('a start without settings', () => {
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

describe('a service that gets SIGTERM', () => {
  it('completes the current request, accepts no new one, and writes when its keys were last used', async () => {
    await onDemoDatabase(async ({ DATABASE_OWNER_URL, ...settings }) => {
      // The database is migrated, so the service does not need the owner.
      const service = startService(settings);
      const baseUrl = await service.ready;
      const url = new URL(baseUrl);
      const folder = settings.KEYFRONT_DATA;
      const [{ apiKey, secretKey }] = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')).holders;
      const file = join(folder, 'key.pem');
      await writeFile(file, Buffer.from(secretKey, 'base64'), { mode: 0o600 });
      const signature = signWithOpenssl({ file }, '{}');
      const headers = [`x-auth-apikey: ${apiKey}`, `x-auth-signature: ${signature}`];
      const response = await curl(...headers.flatMap((header) => ['--header', header]), `${baseUrl}/planets`);
      expect(response.status).toBe(200);

      const body = JSON.stringify({ walletAddress: `0x${'a'.repeat(40)}` });
      const socket = connect(Number(url.port), url.hostname);
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk;
      });
      socket.write(
        `POST /api/v1/auth/nonce HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
          `content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
      );
      // The service has begun to handle the request when it requests the body.
      await expect.poll(() => received).toContain('100 Continue');
      const ended = service.end('SIGTERM');
      await expect.poll(() => service.output()).toContain('Keyfront is shutting down');
      await expect(curl(`${url.origin}/health/live`)).rejects.toThrow(/connect/i);
      socket.write(body);
      await expect.poll(() => received).toContain('HTTP/1.1 201 Created');
      expect(await ended).toBe(0);
      const used = 'SELECT FROM keyfront.api_keys WHERE last_used_at IS NOT NULL';
      expect(await runSql(DATABASE_OWNER_URL, used)).toHaveLength(1);
    });
  });
});

describe('a failed start', () => {
  it('names an invalid setting', async () => {
    await expectRefusedStart(
      { PORT: 'abc' },
      /^The setting PORT must be a whole number from 0 to 65535, not "abc"\.\n$/,
    );
    await expectRefusedStart(
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      /^The setting JWT_SECRET is required with DATABASE_URL: set it to at least 32 random characters\.\n$/,
    );
  });

  it('asks for a database in production, and names a misspelt setting', async () => {
    await expectRefusedStart(
      {
        NODE_ENV: 'production',
        JWT_SECRET: jwtSecret,
        DATABSE_URL: 'postgres://x:open-sesame@127.0.0.1:1/x',
      },
      /^The setting DATABASE_URL is required with NODE_ENV=production: .+\.\nThe environment variable DATABSE_URL is no setting .+\?\n$/,
    );
  });

  it('names a folder for images that it cannot write to', async () => {
    await expectRefusedStart(
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', JWT_SECRET: jwtSecret, IMAGE_FOLDER: '/dev/null/images' },
      /^Images cannot be stored in \/dev\/null\/images \(ENOTDIR\): make the folder writable .+\.\n$/,
    );
  });

  it('names a database that cannot be reached', async () => {
    await expectRefusedStart(
      { DATABASE_URL: 'postgres://x:open-sesame@127.0.0.1:1/x', JWT_SECRET: jwtSecret },
      /^The database at 127\.0\.0\.1:1\/x cannot be used \((?!.*sesame).+\): check DATABASE_URL .+\.\n$/,
    );
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
