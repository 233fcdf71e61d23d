import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { callRpc } from '@keyfront/evm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectRefusedStart } from '../support/failed-start.ts';
import { needs } from '../support/requirements.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

/** A certificate for `localhost`, and the authority that has signed it. */
interface Certificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

let folder: string;
let trusted: Certificate;
let other: Certificate;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-tls-'));
  // PostgreSQL runs as another user than root, and has to get to its certificate.
  chmodSync(folder, 0o755);
  trusted = makeCertificate('trusted');
  other = makeCertificate('other');
  postgres = await startEmbeddedPostgres({
    dataFolder: join(folder, 'cluster'),
    database: 'keyfront',
    owner: { name: 'owner', password: 'owner' },
    login: { name: 'login', password: 'login' },
    durable: false,
  });
  const client = new pg.Client(postgres.ownerUrl);
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  const { uid, gid } = statSync(rows[0].data_directory);
  for (const file of [trusted.certificate, trusted.key]) {
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
  await client.query(`ALTER SYSTEM SET ssl_cert_file = ${client.escapeLiteral(trusted.certificate)}`);
  await client.query(`ALTER SYSTEM SET ssl_key_file = ${client.escapeLiteral(trusted.key)}`);
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
});

afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function makeCertificate(name: string): Certificate {
  const path = (file: string) => join(folder, name, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  mkdirSync(join(folder, name));
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
    '-subj',
    `/CN=${name}`,
  );
  openssl(
    'req',
    ...newKey,
    '-keyout',
    path('key.pem'),
    '-out',
    path('request.pem'),
    '-subj',
    '/CN=localhost',
  );
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost\n');
  const authority = [
    '-CA',
    path('ca.pem'),
    '-CAkey',
    path('ca.key'),
    '-CAcreateserial',
    '-extfile',
    path('names'),
  ];
  openssl('x509', '-req', '-in', path('request.pem'), ...authority, '-out', path('certificate.pem'));
  return { authority: path('ca.pem'), certificate: path('certificate.pem'), key: path('key.pem') };
}

function settingsWith(query: Record<string, string>, host = 'localhost') {
  const change = (text: string) => {
    const url = new URL(text);
    url.hostname = host;
    url.search = new URLSearchParams(query).toString();
    return url.toString();
  };
  return {
    DATABASE_URL: change(postgres.loginUrl),
    DATABASE_OWNER_URL: change(postgres.ownerUrl),
    JWT_SECRET: 'a secret of the tests with 32 characters',
  };
}

async function countConnections(): Promise<{ encrypted: number; plain: number }> {
  const client = new pg.Client(postgres.ownerUrl);
  await client.connect();
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE ssl)::int AS encrypted, count(*) FILTER (WHERE NOT ssl)::int AS plain
     FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'login'`,
  );
  await client.end();
  return rows[0];
}

describe('PostgreSQL', () => {
  it.each([
    ['verify-full with the authority', () => ({ sslmode: 'verify-full', sslrootcert: trusted.authority })],
    ['require with the authority', () => ({ sslmode: 'require', sslrootcert: trusted.authority })],
    ['require as libpq has it', () => ({ sslmode: 'require', uselibpqcompat: 'true' })],
  ])('%s encrypts every connection', async (_name, query) => {
    const service = startService(settingsWith(query()));
    await service.ready;
    const { encrypted, plain } = await countConnections();
    expect(encrypted).toBeGreaterThan(0);
    expect(plain).toBe(0);
    expect(await service.end()).toBe(0);
  });

  it.each([
    [
      'verify-full with another authority',
      () => ({ sslmode: 'verify-full', sslrootcert: other.authority }),
      'localhost',
    ],
    [
      'verify-full for another name',
      () => ({ sslmode: 'verify-full', sslrootcert: trusted.authority }),
      '127.0.0.1',
    ],
    // libpq would connect: it verifies nothing in this mode unless a root certificate is given.
    ['require without an authority', () => ({ sslmode: 'require' }), 'localhost'],
  ])('%s refuses the server', async (_name, query, host) => {
    await expectRefusedStart(settingsWith(query(), host), /certificate/i);
  });

  it('is plain without sslmode', async () => {
    const service = startService(settingsWith({}));
    await service.ready;
    expect(await countConnections()).toMatchObject({ encrypted: 0 });
    expect(await service.end()).toBe(0);
  });
});

describe('Redis', needs('Redis'), () => {
  it('is used with rediss and an authority that Node trusts, and without it each process counts alone', async () => {
    const port = await startRedis();
    const settings = { ...settingsWith({}), REDIS_URL: `rediss://localhost:${port}` };
    const countKeys = () => {
      const access = ['--tls', '--cacert', trusted.authority, '-h', 'localhost', '-p', String(port)];
      return Number(execFileSync('redis-cli', [...access, 'dbsize'], { encoding: 'utf8' }));
    };
    const refused = startService(settings);
    const path = '/public/healthStatus';
    expect((await fetch(`${await refused.ready}${path}`)).status).toBe(200);
    expect(countKeys()).toBe(0);
    await until(refused.output, (output) => /certificate/.test(output));
    expect(await refused.end()).toBe(0);

    const service = startService({ ...settings, NODE_EXTRA_CA_CERTS: trusted.authority });
    const base = await service.ready;
    await until(
      async () => {
        expect((await fetch(`${base}${path}`)).status).toBe(200);
        return countKeys();
      },
      (count) => count > 0,
    );
    expect(await service.end()).toBe(0);
  });
});

it('a node of the chain with a certificate of an unknown authority is not called', async () => {
  const server = createServer(
    { key: readFileSync(trusted.key), cert: readFileSync(trusted.certificate) },
    (_request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
  );
  let requests = 0;
  server.on('request', () => {
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const call = callRpc(url, 'eth_chainId', [], { signal: AbortSignal.timeout(30_000) });
  await expect(call).rejects.toThrow();
  expect(requests).toBe(0);
});

async function startRedis(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const tls = [
    '--tls-cert-file',
    trusted.certificate,
    '--tls-key-file',
    trusted.key,
    '--tls-auth-clients',
    'no',
  ];
  const options = ['--port', '0', '--tls-port', String(port), '--save', '', '--dir', folder];
  const child: ChildProcess = spawn(
    'redis-server',
    [...options, ...tls, '--tls-ca-cert-file', trusted.authority],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  await until(
    () => printed,
    (text) => text.includes('Ready to accept connections'),
  );
  return port;
}
