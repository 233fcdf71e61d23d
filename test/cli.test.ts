import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertManyOrders } from './support/order-data.ts';
import { onTestCluster, startService, withDataFolder } from './support/service-process.ts';
import { runSql } from './support/test-database.ts';

const binary = fileURLToPath(new URL('../packages/cli/bin/keyfront.js', import.meta.url));

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

/** A user's shell beside a service with demo data. */
interface Shell {
  readonly baseUrl: string;
  readonly ownerUrl: string;
  readonly folder: string;
  readonly demoFile: string;
  readonly holders: readonly [DemoHolder, DemoHolder];
  keyfront(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Gives what it has printed; fails where it fails. */
  output(...args: string[]): Promise<string>;
}

async function runBinary(
  args: readonly string[],
  cwd: string,
  { env, input = '' }: RunOptions,
): Promise<Run> {
  const child = spawn(process.execPath, [binary, ...args], {
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
  await withDataFolder((dataFolder) =>
    onTestCluster(async (settings) => {
      const service = startService({ ...settings, KEYFRONT_DATA: dataFolder, KEYFRONT_DEMO: 'on' });
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
          const run = await runBinary(args, folder, options);
          printed.push(run.stdout, run.stderr);
          return run;
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
        ...readKeptSecrets(folder),
      ]);
      expect(await service.end()).toBe(0);
    }),
  );
}

/** A secret key, and each line of it. */
function partsOf(secretKey: string): string[] {
  return [secretKey, ...Buffer.from(secretKey, 'base64').toString().split('\n').slice(1, -2)];
}

/** What the profiles hold, tokens of wallets among it. */
function readKeptSecrets(folder: string): string[] {
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

/** A server that lives as long as the test. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that takes headers out of requests, or tells another time. */
function serveProxy(baseUrl: string, { drops = [], aheadMs = 0 }: { drops?: string[]; aheadMs?: number }) {
  return serve(async (request, response) => {
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(request.headersDistinct)) {
      if (![...drops, 'host', 'connection', 'content-length'].includes(name))
        headers.set(name, values.join());
    }
    const body = await buffer(request);
    const answer = await fetch(new URL(request.url ?? '/', baseUrl), {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    for (const name of ['content-type', 'www-authenticate']) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
}

async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the command line on a service', { timeout: 240_000 }, () => {
  it('does what each of its commands says, and shows no secret', async () => {
    await withShell(async ({ baseUrl, folder, demoFile, holders: [holder, second], keyfront, output }) => {
      // Profiles.
      expect(await output('login', '--demo', demoFile)).toBe(`Profile "default" is for ${baseUrl}\n`);
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

      // Requests, of whom the environment or the profile says.
      const { planets } = JSON.parse(await output('get', '/planets', '--json'));
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
        stderr: 'error: Client belongs to another holder or digital key\n',
      });

      // What is sent can be seen.
      const verbose = await keyfront(['post', '/dapp/orders', '-d', '{"clientId":"1"}', '--verbose']);
      expect(verbose).toMatchObject({ code: 4, stdout: '' });
      expect(verbose.stderr).toMatch(
        /^Canonical payload \(16 bytes, SHA-256 [0-9a-f]{64}\):\n\{"clientId":"1"\}\n/,
      );
      expect(verbose.stderr).toMatch(/^> x-auth-signature: \S+$/m);
      expect(verbose.stderr).toMatch(/^< 400 /m);

      // curl sends what is signed here.
      writeFileSync(join(folder, 'headers'), await output('sign', 'GET', '/dapp/strains?take=1'));
      const curl = ['--silent', '--config', 'headers', `${baseUrl}/dapp/strains?take=1`];
      expect(JSON.parse(execFileSync('curl', curl, { cwd: folder, encoding: 'utf8' })).statusCode).toBe(200);
      const command = await output('sign', 'POST', '/dapp/orders', '-d', '{"clientId":"1"}', '--curl');
      const answer = execFileSync('bash', ['-c', command], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(JSON.parse(answer).data).toEqual(['clientId must be a UUID']);

      // Figures and files.
      expect((await output('chart', '--interval', 'month')).split('\n')[0]).toMatch(
        /^DATE +ORDERS +REVENUE +CURRENCY$/,
      );
      await output('orders', 'export', '--json', '-o', 'orders.json');
      expect(JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8'))).toHaveLength(200);
      await output('orders', 'export', '--xlsx', '--status', 'DELIVERED', '-o', 'orders.xlsx');
      expect(readFileSync(join(folder, 'orders.xlsx')).subarray(0, 2).toString()).toBe('PK');
      const csv = await output('orders', 'export', '--csv', '--status', 'CANCELLED', '-o', '-');
      expect(parse(csv, { columns: true }).every((row) => Object(row).orderStatus === 'CANCELLED')).toBe(
        true,
      );

      // A key of one's own, from its first request to its last.
      await output('keys', 'create', 'My storefront', '--secret-key-file', 'own.pem', '--profile', 'wallet');
      expect(statSync(join(folder, 'own.pem')).mode & 0o777).toBe(0o600);
      await output('login', '--url', baseUrl, '--secret-key-file', 'own.pem', '--profile', 'own');
      expect(await output('doctor', '--profile', 'own')).toContain('All is well');
      const keys = JSON.parse(await output('keys', 'list', '--json', '--profile', 'wallet'));
      const own = keys.find(({ keyName }: { keyName: string }) => keyName === 'My storefront');
      expect(await output('keys', 'revoke', own.id, '--profile', 'wallet')).toBe(
        `Key ${own.id} is revoked\n`,
      );
      expect(await keyfront(['get', '/planets', '--profile', 'own'])).toMatchObject({ code: 3, stdout: '' });
      expect(await keyfront(['doctor', '--profile', 'own'])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /^error: The key is unknown at this service, or was revoked \(.+on purpose\)/,
        ),
      });

      // Completions and help.
      execFileSync('bash', ['-n'], { input: await output('completion', 'bash') });
      expect(await output('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      for (const name of ['login', 'get', 'post', 'sign', 'chart', 'doctor', 'completion']) {
        expect(await output(name, '--help')).toMatch(/\nExamples:\n {2}\S/);
      }

      // And gone again.
      await output('logout', '--profile', 'second');
      expect(await keyfront(['get', '/planets', '--profile', 'second'])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'error: There is no profile "second": make it with `keyfront login --profile second`\n',
      });
      expect(await keyfront(['get', `/dapp/clients/${holder.clientIds.ready}`])).toMatchObject({ code: 0 });
    });
  });

  it('has a doctor who names what is wrong', async () => {
    await withShell(async ({ baseUrl, demoFile, holders: [holder, second], keyfront, output }) => {
      await output('login', '--demo', demoFile);
      await output('login', '--demo', demoFile, '--wallet', '--profile', 'wallet');
      const { origin } = new URL(baseUrl);
      const diagnose = async (env: Record<string, string>, ...args: string[]) => {
        const { code, stderr } = await keyfront(['doctor', ...args], { env });
        expect(stderr.split('\n')).toHaveLength(2);
        return `${code} ${stderr}`;
      };

      expect(await output('doctor')).toContain('All is well');
      const nobody = `http://127.0.0.1:${await findFreePort()}`;
      expect(await diagnose({ KEYFRONT_URL: nobody })).toMatch(
        /^5 error: The server is down .+ECONNREFUSED; start it/,
      );
      expect(await diagnose({ KEYFRONT_URL: `${origin}/shop` })).toMatch(
        /^5 error: The base address is wrong: .+404/,
      );
      const page = await serve((_request, response) => response.end('<!doctype html>'));
      expect(await diagnose({ KEYFRONT_URL: page })).toMatch(/^5 error: The base address is wrong/);

      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const unknown = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await diagnose({ KEYFRONT_SECRET_KEY: unknown })).toMatch(
        /^3 error: The key is unknown at this service, or was revoked/,
      );
      const swapped = { KEYFRONT_API_KEY: holder.apiKey, KEYFRONT_SECRET_KEY: second.secretKey };
      expect(await diagnose(swapped)).toMatch(/^3 error: The secret key does not belong to the API key/);

      const stripping = await serveProxy(baseUrl, { drops: ['x-auth-apikey', 'x-auth-signature'] });
      expect(await diagnose({ KEYFRONT_URL: stripping })).toMatch(
        /^3 error: Something on the way takes the headers x-auth-apikey and x-auth-signature out/,
      );
      const late = await serveProxy(baseUrl, { aheadMs: -3_600_000 });
      expect(await diagnose({ KEYFRONT_URL: late }, '--profile', 'wallet')).toMatch(
        /^1 error: The clock of this machine is 60 minutes ahead/,
      );
      const { code, stdout } = await keyfront(['doctor'], { env: { KEYFRONT_URL: late } });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^note The clock .+ signed requests do not mind$/m),
      ]);
    });
  });

  const hasScript = spawnSync('script', ['--version']).status === 0;

  it.skipIf(!hasScript)(
    `asks on a terminal, and shows nothing of the secret${hasScript ? '' : ': passed over, because there is no script(1) here'}`,
    async () => {
      await withShell(async ({ baseUrl, demoFile, folder, holders: [holder], output }) => {
        await output('login', '--demo', demoFile, '--profile', 'other');
        const child = spawn(
          'script',
          ['--quiet', '--return', '--command', `${process.execPath} ${binary} login`, '/dev/null'],
          {
            cwd: folder,
            env: { PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
          },
        );
        let screen = '';
        const answers = [
          ['Address: ', baseUrl],
          ['Secret key (not shown): ', holder.secretKey],
        ];
        child.stdout.on('data', (chunk) => {
          screen += chunk;
          const [question, answer] = answers[0] ?? [];
          if (question && screen.includes(question)) {
            answers.shift();
            child.stdin.write(`${answer}\r`);
          }
        });
        const [code] = await once(child, 'close');
        expect([code, screen]).toEqual([0, expect.stringContaining(`Profile "default" is for ${baseUrl}`)]);
        for (const part of partsOf(holder.secretKey)) expect(screen).not.toContain(part.slice(0, 20));
        expect(JSON.parse(await output('get', '/planets', '--json')).planets[0].name).toBe('Auremi');
      });
    },
  );

  it('exports a large store to a file that holds all of its orders', async () => {
    await withShell(async ({ ownerUrl, demoFile, folder, holders: [{ primaryTokenId }], output }) => {
      await output('login', '--demo', demoFile);
      const count = Number(process.env.CSV_TEST_ORDERS ?? 10_000);
      await insertManyOrders(ownerUrl, primaryTokenId, count);
      await output('orders', 'export', '--csv', '--order-by', 'asc', '-o', 'orders.csv');
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
      // Compared as texts: a difference among so many is shown as the first that differs.
      const firstOther = rows.findIndex(
        (row, index) => JSON.stringify(row) !== JSON.stringify(expected[index]),
      );
      expect([firstOther, rows[firstOther]]).toEqual([-1, undefined]);
    });
  });
});

it('the command line that is not built says so', async () => {
  await withDataFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    copyFileSync(binary, join(folder, 'bin', 'keyfront.js'));
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin', 'keyfront.js')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      'keyfront is not built, or not all of it: run `npm run build` in the clone.\n',
    ]);
  });
});
