import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { curl } from './support/curl.ts';
import { expectRefusedStart } from './support/failed-start.ts';
import { signWithOpenssl } from './support/openssl.ts';
import { onDemoDatabase, startService } from './support/service-process.ts';
import { runSql } from './support/test-database.ts';

const jwtSecret = 'a secret for tests, long enough to be one';

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
});
