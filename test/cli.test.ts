import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../packages/cli/src/main.ts';
import { insertManyOrders } from './support/order-data.ts';
import { needs } from './support/requirements.ts';
import { onDemoDatabase, startService, withDataFolder } from './support/service-process.ts';
import { runSql } from './support/test-database.ts';

const binaryPath = fileURLToPath(new URL('../packages/cli/bin/keyfront.js', import.meta.url));

interface DemoHolder {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly walletPrivateKey: string;
  readonly primaryTokenId: number;
  readonly clientIds: { readonly ready: string };
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

/** Runs commands in a folder of its own against a service with demo data. */
interface Shell {
  readonly baseUrl: string;
  readonly ownerUrl: string;
  readonly folder: string;
  readonly demoFile: string;
  readonly holders: readonly [DemoHolder, DemoHolder];
  keyfront(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs the program in a process of its own. */
  binary(...args: string[]): Promise<Run>;
  /** Returns stdout. Fails if the command fails or writes to stderr. */
  output(...args: string[]): Promise<string>;
}

/** Runs a command in this process, which takes a tenth of the time of a new process. */
async function runInProcess(
  args: readonly string[],
  cwd: string,
  { env, input = '' }: RunOptions,
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const previousFolder = process.cwd();
  process.chdir(cwd);
  try {
    const written = Promise.all([text(stdout), text(stderr)]);
    const code = await run(args, {
      env: { HOME: cwd, ...env },
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      fetch: globalThis.fetch,
      now: () => new Date(),
      signal: new AbortController().signal,
    });
    stdout.end();
    stderr.end();
    const [stdoutText, stderrText] = await written;
    return { code, stdout: stdoutText, stderr: stderrText };
  } finally {
    process.chdir(previousFolder);
  }
}

async function runBinary(
  args: readonly string[],
  cwd: string,
  { env, input = '' }: RunOptions,
): Promise<Run> {
  const child = spawn(process.execPath, [binaryPath, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

async function withShell(use: (shell: Shell) => Promise<void>): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const dataFolder = settings.KEYFRONT_DATA;
    const service = startService(settings);
    const baseUrl = await service.ready;
    const folder = join(dataFolder, '..', 'shell');
    mkdirSync(folder);
    const demoFile = join(dataFolder, 'demo.json');
    const { holders, admin } = JSON.parse(readFileSync(demoFile, 'utf8'));
    const printed: string[] = [];
    const shell: Shell = {
      baseUrl,
      ownerUrl: settings.DATABASE_OWNER_URL,
      folder,
      demoFile,
      holders,
      keyfront: async (args, options = {}) => {
        const result = await runInProcess(args, folder, options);
        printed.push(result.stdout, result.stderr);
        return result;
      },
      binary: async (...args) => {
        const result = await runBinary(args, folder, {});
        printed.push(result.stdout, result.stderr);
        return result;
      },
      output: async (...args) => {
        const { code, stdout, stderr } = await shell.keyfront(args);
        expect([args, code, stderr]).toEqual([args, 0, '']);
        return stdout;
      },
    };
    await use(shell);
    expectNoSecrets(printed.join('\n'), [
      ...holders.flatMap((holder: DemoHolder) => [
        holder.walletPrivateKey.slice(2),
        ...partsOf(holder.secretKey),
      ]),
      admin.walletPrivateKey.slice(2),
      ...readSavedSecrets(folder),
    ]);
    expect(await service.end()).toBe(0);
  });
}

/** A secret key, and each line of its PEM. */
function partsOf(secretKey: string): string[] {
  return [secretKey, ...Buffer.from(secretKey, 'base64').toString().split('\n').slice(1, -2)];
}

/** The secret keys and tokens of all profiles. */
function readSavedSecrets(folder: string): string[] {
  const { profiles } = JSON.parse(readFileSync(join(folder, '.config/keyfront/profiles.json'), 'utf8'));
  return Object.values<Record<string, string>>(profiles).flatMap(({ secretKey, token }) =>
    [secretKey, token].filter((each) => each !== undefined),
  );
}

function expectNoSecrets(output: string, secrets: readonly string[]): void {
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(output).not.toContain(secret);
  }
}

/** Starts a server that is closed when the test ends. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that removes request headers, or changes the time of responses. */
function serveProxy(baseUrl: string, { drops = [], aheadMs = 0 }: { drops?: string[]; aheadMs?: number }) {
  return serve(async (request, reply) => {
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(request.headersDistinct)) {
      if (![...drops, 'host', 'connection', 'content-length'].includes(name))
        headers.set(name, values.join());
    }
    const body = await buffer(request);
    const response = await fetch(new URL(request.url ?? '/', baseUrl), {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    for (const name of ['content-type', 'www-authenticate']) {
      const value = response.headers.get(name);
      if (value) reply.setHeader(name, value);
    }
    reply.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    reply.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
  });
}

async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('keyfront with a service', { timeout: 240_000 }, () => {
  it('runs every command and prints no secret', async () => {
    await withShell(
      async ({ baseUrl, folder, demoFile, holders: [holder, second], keyfront, binary, output }) => {
        // Profiles.
        expect(await output('login', '--demo', demoFile)).toBe(
          `Logged in to ${baseUrl}. Credentials saved in profile "default".\n`,
        );
        await output('login', '--demo', demoFile, '--holder', '2', '--profile', 'second');
        await output('login', '--demo', demoFile, '--wallet', '--profile', 'wallet');
        writeFileSync(
          join(folder, 'wallet.txt'),
          JSON.parse(readFileSync(demoFile, 'utf8')).admin.walletPrivateKey,
        );
        const asAdmin = ['--wallet-key-file', 'wallet.txt', '--admin', '--profile', 'admin'];
        await output('login', '--url', baseUrl.replace('/api/v1', ''), ...asAdmin);
        expect(statSync(join(folder, '.config/keyfront/profiles.json')).mode & 0o777).toBe(0o600);
        expect((await output('profiles')).split('\n').map((line) => line.split(/ +/)[0])).toEqual([
          'PROFILE',
          'default',
          'second',
          'wallet',
          'admin',
          '',
        ]);

        // Requests, with credentials from a profile or the environment.
        const { planets } = JSON.parse((await binary('get', '/planets', '--json')).stdout);
        expect(planets[0].name).toBe('Auremi');
        expect(
          JSON.parse(await output('get', '/dapp/strains', '-q', 'search=e', '-q', 'take=2')),
        ).toMatchObject({
          pageMetaDto: { take: 2 },
        });
        const { id: clientId } = JSON.parse(
          await output(
            'post',
            '/dapp/clients',
            '-d',
            '{"firstName":"Ada","lastName":"Example","email":"ada@cli.example"}',
          ),
        );
        writeFileSync(join(folder, 'change.json'), '{"firstName":"Ida"}');
        expect(
          JSON.parse(await output('patch', `/dapp/clients/${clientId}`, '-d', '@change.json')).firstName,
        ).toBe('Ida');
        const approval = '{"adminApproval":"VERIFIED","isKYCVerified":true}';
        await output('patch', `/admin/clients/${clientId}`, '-d', approval, '--profile', 'admin');
        const { strains } = JSON.parse(await output('get', '/dapp/strains', '-q', 'take=1'));
        const cart = JSON.stringify({ clientId, cartItems: [{ strainId: strains[0].id, quantity: 1 }] });
        const added = await keyfront(['post', '/dapp/carts', '-d', '-'], { input: cart });
        await output('delete', `/dapp/carts/${JSON.parse(added.stdout).id}`);
        const asSecond = {
          env: { KEYFRONT_API_KEY: second.apiKey, KEYFRONT_SECRET_KEY: second.secretKey },
        };
        const foreign = await keyfront(['get', `/dapp/clients/${clientId}`], asSecond);
        expect(foreign).toEqual({
          code: 4,
          stdout: '',
          stderr: 'error: Client belongs to another holder or digital key (NOT_OWNED)\n',
        });

        // The signed payload and the headers.
        const verbose = await keyfront(['post', '/dapp/orders', '-d', '{"clientId":"1"}', '--verbose']);
        expect(verbose).toMatchObject({ code: 4, stdout: '' });
        expect(verbose.stderr).toMatch(
          /^Canonical payload \(16 bytes, SHA-256 [0-9a-f]{64}\):\n\{"clientId":"1"\}\n/,
        );
        expect(verbose.stderr).toMatch(/^> x-auth-signature: \S+$/m);
        expect(verbose.stderr).toMatch(/^< 400 /m);

        // Signatures for curl.
        writeFileSync(join(folder, 'headers'), await output('sign', 'GET', '/dapp/strains?take=1'));
        const curl = ['--silent', '--config', 'headers', `${baseUrl}/dapp/strains?take=1`];
        expect(JSON.parse(execFileSync('curl', curl, { cwd: folder, encoding: 'utf8' })).statusCode).toBe(
          200,
        );
        const command = await output('sign', 'POST', '/dapp/orders', '-d', '{"clientId":"1"}', '--curl');
        const response = execFileSync('bash', ['-c', command], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        expect(JSON.parse(response).data).toEqual(['clientId must be a UUID']);

        // Charts and exports.
        expect((await output('chart', '--interval', 'month')).split('\n')[0]).toMatch(
          /^DATE +ORDERS +REVENUE +CURRENCY$/,
        );
        const json = await keyfront(['orders', 'export', '-o', 'orders.json']);
        expect([json.code, json.stdout]).toEqual([0, '']);
        expect(json.stderr).toMatch(/^Wrote 200 orders to orders\.json \([\d.]+ kB in [\d.]+ s\)\.\n$/);
        expect(JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8'))).toHaveLength(200);
        await output('orders', 'export', '-o', 'orders.xlsx', '--status', 'DELIVERED', '--quiet');
        expect(readFileSync(join(folder, 'orders.xlsx')).subarray(0, 2).toString()).toBe('PK');
        const csv = await output('orders', 'export', '--csv', '--status', 'CANCELLED', '--quiet');
        expect(parse(csv, { columns: true }).every((row) => Object(row).orderStatus === 'CANCELLED')).toBe(
          true,
        );
        expect(await keyfront(['orders', 'export', '-o', 'x.csv', '--from', 'yesterday'])).toEqual({
          code: 4,
          stdout: '',
          stderr: expect.stringMatching(/^error: --from must be /),
        });

        // A key from its creation to its revocation.
        await output(
          'keys',
          'create',
          'My storefront',
          '--secret-key-file',
          'own.pem',
          '--profile',
          'wallet',
        );
        expect(statSync(join(folder, 'own.pem')).mode & 0o777).toBe(0o600);
        await output('login', '--url', baseUrl, '--secret-key-file', 'own.pem', '--profile', 'own');
        expect(await output('doctor', '--profile', 'own')).toContain('No problems found.');
        const keys = JSON.parse(await output('keys', 'list', '--json', '--profile', 'wallet'));
        const own = keys.find(({ keyName }: { keyName: string }) => keyName === 'My storefront');
        expect(await output('keys', 'revoke', own.id, '--profile', 'wallet')).toBe(
          `Revoked API key ${own.id}.\n`,
        );
        expect(await binary('get', '/planets', '--profile', 'own')).toMatchObject({ code: 3, stdout: '' });
        expect(await keyfront(['doctor', '--profile', 'own'])).toMatchObject({
          code: 3,
          stderr: expect.stringMatching(
            /^error: The service does not know this API key, or the key was revoked/,
          ),
        });
        const again = ['login', '--url', baseUrl, '--secret-key-file', 'own.pem', '--profile', 'again'];
        expect(await keyfront(again)).toMatchObject({
          code: 3,
          stderr: expect.stringMatching(/the key was revoked.+ Nothing was saved; use --no-verify/),
        });
        expect(await output('profiles')).not.toContain('again');

        // Help.
        expect(await output('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
        expect(await output('orders', 'export', '--help')).toMatch(/"PENDING".+\nExamples:\n {2}\S/s);

        // Logout.
        await output('logout', '--profile', 'second');
        expect(await keyfront(['get', '/planets', '--profile', 'second'])).toEqual({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(
            /^error: Profile "second" does not exist\. Create it with `keyfront login/,
          ),
        });
        expect(await keyfront(['get', `/dapp/clients/${holder.clientIds.ready}`])).toMatchObject({ code: 0 });
      },
    );
  });

  it('diagnoses connection problems', async () => {
    await withShell(async ({ baseUrl, demoFile, holders: [holder, second], keyfront, output }) => {
      await output('login', '--demo', demoFile);
      await output('login', '--demo', demoFile, '--wallet', '--profile', 'wallet');
      const { origin } = new URL(baseUrl);
      const runDoctor = async (env: Record<string, string>, ...args: string[]) => {
        const { code, stderr } = await keyfront(['doctor', ...args], { env });
        expect(stderr.split('\n')).toHaveLength(2);
        return `${code} ${stderr}`;
      };

      expect(await output('doctor')).toContain('No problems found.');
      const unused = `http://127.0.0.1:${await findFreePort()}`;
      expect(await runDoctor({ KEYFRONT_URL: unused })).toMatch(
        /^5 error: Cannot reach .+ECONNREFUSED\)\. Check that the service is running/,
      );
      expect(await runDoctor({ KEYFRONT_URL: `${origin}/shop` })).toMatch(
        /^5 error: .+ is not a Keyfront service \(status 404\)/,
      );
      const page = await serve((_request, response) => response.end('<!doctype html>'));
      expect(await runDoctor({ KEYFRONT_URL: page })).toMatch(/^5 error: .+ is not a Keyfront service/);

      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const unknown = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await runDoctor({ KEYFRONT_SECRET_KEY: unknown })).toMatch(
        /^3 error: The service does not know this API key, or the key was revoked/,
      );
      const swapped = { KEYFRONT_API_KEY: holder.apiKey, KEYFRONT_SECRET_KEY: second.secretKey };
      expect(await runDoctor(swapped)).toMatch(/^3 error: The secret key does not match the API key/);

      const stripping = await serveProxy(baseUrl, { drops: ['x-auth-apikey', 'x-auth-signature'] });
      expect(await runDoctor({ KEYFRONT_URL: stripping })).toMatch(
        /^3 error: Something in front of the service removes the x-auth-apikey and x-auth-signature headers/,
      );
      const late = await serveProxy(baseUrl, { aheadMs: -3_600_000 });
      expect(await runDoctor({ KEYFRONT_URL: late }, '--profile', 'wallet')).toMatch(
        /^1 error: The clock of this machine is 60 minutes ahead of the service/,
      );
      const { code, stdout } = await keyfront(['doctor'], { env: { KEYFRONT_URL: late } });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^warn The clock .+ Signed requests do not depend on it\.$/m),
      ]);
    });
  });

  it('asks for credentials on a terminal and hides the secret key', needs('script(1)'), async () => {
    await withShell(async ({ baseUrl, demoFile, folder, holders: [holder], output }) => {
      await output('login', '--demo', demoFile, '--profile', 'other');
      const child = spawn(
        'script',
        ['--quiet', '--return', '--command', `${process.execPath} ${binaryPath} login`, '/dev/null'],
        {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
        },
      );
      let screen = '';
      const replies = [
        ['Service URL: ', baseUrl],
        ['Secret key (input is hidden): ', holder.secretKey],
      ];
      child.stdout.on('data', (chunk) => {
        screen += chunk;
        const [question, reply] = replies[0] ?? [];
        if (question && screen.includes(question)) {
          replies.shift();
          child.stdin.write(`${reply}\r`);
        }
      });
      const [code] = await once(child, 'close');
      expect([code, screen]).toEqual([0, expect.stringContaining(`Logged in to ${baseUrl}.`)]);
      for (const part of partsOf(holder.secretKey)) expect(screen).not.toContain(part.slice(0, 20));
      expect(JSON.parse(await output('get', '/planets', '--json')).planets[0].name).toBe('Auremi');
    });
  });

  it('exports all orders of a large store', async () => {
    await withShell(async ({ ownerUrl, demoFile, folder, holders: [{ primaryTokenId }], output, binary }) => {
      await output('login', '--demo', demoFile);
      const count = Number(process.env.CSV_TEST_ORDERS ?? 10_000);
      await insertManyOrders(ownerUrl, primaryTokenId, count);
      expect(await binary('orders', 'export', '--order-by', 'asc', '-o', 'orders.csv')).toEqual({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^Wrote ${count + 200} orders to orders\\.csv \\(`)),
      });
      expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['orders.csv']);
      const expected = await runSql<Record<string, string>>(
        ownerUrl,
        `SELECT orders.id::text, invoice_number AS "invoiceNumber", order_status AS "orderStatus",
           payment_status AS "paymentStatus", orders.admin_approval AS "adminApproval",
           total_amount::text AS "totalAmount", total_quantity::text AS "totalQuantity", currency::text,
           to_char(orders.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
           to_char(orders.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt",
           client_id::text AS "clientId", first_name AS "clientFirstName", last_name AS "clientLastName",
           email AS "clientEmail", orders.token_id::text AS "tokenId"
         FROM keyfront.orders JOIN keyfront.clients ON clients.id = client_id
         WHERE orders.token_id = $1 ORDER BY orders.created_at, orders.id`,
        [primaryTokenId],
      );
      expect(expected).toHaveLength(count + 200);
      const rows = parse(readFileSync(join(folder, 'orders.csv')), { columns: true });
      expect(rows.length).toBe(expected.length);
      // Reports only the first difference, because a diff of all rows would be unreadable.
      const firstDifference = rows.findIndex(
        (row, index) => JSON.stringify(row) !== JSON.stringify(expected[index]),
      );
      expect([firstDifference, rows[firstDifference]]).toEqual([-1, undefined]);
    });
  });
});

describe('an interrupted export', () => {
  it.each(['csv', 'json', 'xlsx'])('leaves no %s file and exits with 130', async (extension) => {
    // Sends a part of the export and then keeps the connection open.
    const url = await serve((request, reply) => {
      if (request.headers.accept === 'text/csv') {
        reply.writeHead(200, { 'content-type': 'text/csv' }).write('id,invoiceNumber\r\n1,KF-1\r\n');
      } else if (!request.url?.includes('cursor=next')) {
        const pageMetaDto = { itemCount: 1, pageCount: 1, nextCursor: 'next' };
        reply.setHeader('content-type', 'application/json');
        reply.end(
          JSON.stringify({
            success: true,
            statusCode: 200,
            message: 'Success',
            data: { orders: [], pageMetaDto },
          }),
        );
      }
    });
    await withDataFolder(async (folder) => {
      mkdirSync(folder, { recursive: true });
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const child = spawn(process.execPath, [binaryPath, 'orders', 'export', '-o', `orders.${extension}`], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          KEYFRONT_URL: url,
          KEYFRONT_SECRET_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        },
      });
      await expect
        .poll(() => readdirSync(folder), { timeout: 60_000 })
        .toEqual([expect.stringMatching(/^orders\.\w+\.[0-9a-f]{8}\.part$/)]);
      child.kill('SIGINT');
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      expect([code, stderr, readdirSync(folder)]).toEqual([130, '', []]);
    });
  });
});

it('reports that the CLI is not built', async () => {
  await withDataFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    copyFileSync(binaryPath, join(folder, 'bin', 'keyfront.js'));
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin', 'keyfront.js')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      'error: The Keyfront CLI is not built or not fully installed. In a clone, run `npm run build`.\n',
    ]);
  });
});

it('reports that standard output cannot be written', async () => {
  await withDataFolder(async (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'read-only'), '');
    const stdout = openSync(join(folder, 'read-only'), 'r');
    const { status, stderr } = spawnSync(process.execPath, [binaryPath, '--help'], {
      encoding: 'utf8',
      stdio: ['ignore', stdout, 'pipe'],
    });
    closeSync(stdout);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: Cannot write to standard output: .+\n$/),
    ]);
  });
});
