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
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { binaryPath, serve, withShell } from './support/cli-shell.ts';
import { withDataFolder } from './support/service-process.ts';

describe('keyfront with a service', { timeout: 240_000 }, () => {
  it('runs every command and prints no secret', { tags: ['long'] }, async () => {
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
          /^Signature base \(\d+ bytes, SHA-256 [0-9a-f]{64}\):\n"@method": POST\n"@target-uri": \S+\/dapp\/orders\n/,
        );
        expect(verbose.stderr).toMatch(/^> signature: keyfront=:\S+:$/m);
        expect(verbose.stderr).toMatch(/^< 400 /m);

        // Signatures for curl.
        const sign = async (...args: string[]) => (await keyfront(['sign', ...args])).stdout;
        writeFileSync(join(folder, 'headers'), await sign('GET', '/dapp/strains?take=1', '--simple'));
        const curl = ['--silent', '--config', 'headers', `${baseUrl}/dapp/strains?take=1`];
        expect(JSON.parse(execFileSync('curl', curl, { cwd: folder, encoding: 'utf8' })).statusCode).toBe(
          200,
        );
        const command = await sign('POST', '/dapp/orders', '-d', '{"clientId":"1"}', '--curl');
        const response = execFileSync('bash', ['-c', command], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        expect(JSON.parse(response).data).toEqual(['clientId must be a UUID']);
        const path = '/dapp/strains?take=1&search=a%20b';
        writeFileSync(join(folder, 'bound'), await sign('GET', path));
        const bound = ['--silent', '--config', 'bound', `${baseUrl}${path}`];
        expect(JSON.parse(execFileSync('curl', bound, { cwd: folder, encoding: 'utf8' })).statusCode).toBe(
          200,
        );
        const elsewhere = ['--silent', '--config', 'bound', `${baseUrl}/planets`];
        expect(
          JSON.parse(execFileSync('curl', elsewhere, { cwd: folder, encoding: 'utf8' })).statusCode,
        ).toBe(401);

        // Lists.
        const available = JSON.parse(
          await output('strains', 'list', '--country-code', 'PRT', '--is-available', '--all', '--json'),
        );
        expect(available.length).toBeGreaterThan(5);
        expect(available.every(({ isAvailable }: { isAvailable: boolean }) => isAvailable)).toBe(true);
        expect(await output('strains', 'list', '--facets', '--type', 'INDICA', '--all')).toMatch(
          /^type +HYBRID \d+, INDICA \d+, SATIVA \d+$/m,
        );
        const firstOrders = await keyfront(['orders', 'list', '--limit', '3', '--json']);
        expect(JSON.parse(firstOrders.stdout)).toHaveLength(3);
        expect(firstOrders.stderr).toBe('These are the first 3. Use --limit or --all to see more.\n');
        const orders = JSON.parse(await output('orders', 'list', '--all', '--json'));
        expect(orders).toHaveLength(200);
        expect(JSON.parse(await output('orders', 'get', orders[7].id))).toMatchObject({
          ...{ id: orders[7].id, orderLines: expect.any(Array) },
        });
        const rejected = await keyfront(['orders', 'list', '--client-id', '', '--json']);
        expect(rejected).toMatchObject({ code: 4, stdout: '' });
        expect(JSON.parse(rejected.stderr).error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });

        // An order, from its reference to a parcel and a refund.
        const { strains: local } = JSON.parse(
          await output('get', '/dapp/strains?countryCode=ZAF&isAvailable=true'),
        );
        const placed = JSON.stringify({
          clientId: holder.clientIds.ready,
          items: [{ strainId: local[0].id, quantity: 2 }],
        });
        const { id: orderId, orderLines } = JSON.parse(await output('post', '/dapp/orders', '-d', placed));
        await output('orders', 'update', orderId, '--external-reference', 'shop-7', '--metadata', 'a=b');
        expect(await output('orders', 'list', '--external-reference', 'shop-7')).toContain(orderId);
        const early = await keyfront(['orders', 'ship', orderId, '--carrier', 'DHL', '--profile', 'admin']);
        expect(early).toMatchObject({ code: 4, stderr: expect.stringContaining('(ORDER_NOT_APPROVED)') });
        const paid = '{"adminApproval":"VERIFIED","paymentStatus":"PAID"}';
        await output('patch', `/admin/orders/${orderId}`, '-d', paid, '--profile', 'admin');
        const line = ['--line', `${orderLines[0].id}=1`, '--profile', 'admin'];
        await output('orders', 'ship', orderId, '--carrier', 'DHL', ...line);
        expect(await output('orders', 'refund', orderId, '--reason', 'Broken', '--restock', ...line)).toBe(
          `Recorded a refund of ${orderLines[0].productAmount.toFixed(2)} ZAR for order ${orderId}.\n`,
        );
        expect(JSON.parse(await output('orders', 'get', orderId))).toMatchObject({
          ...{ orderStatus: 'SHIPPED', externalReference: 'shop-7', metadata: { a: 'b' } },
          ...{ shipments: [{ carrier: 'DHL' }], refunds: [{ reason: 'Broken', isRestocked: true }] },
        });
        expect(await keyfront(['orders', 'cancel', orderId])).toMatchObject({ code: 4 });

        // Triggers clean up after themselves.
        const countClients = async () => (await output('clients', 'list', '--all')).split('\n').length;
        const clientCount = await countClients();
        for (const [type, traces] of [
          ['client.approved', [/^Archived client /]],
          ['order.processing', [/^Cancelled order /, /^Archived client /]],
          ['order.cancelled', [/^Archived client /]],
          ['payment.paid', [/^Order \S+ stays, because it is PAID\.$/, /^Archived client /]],
          ['order.shipped', [/^Order \S+ stays, because it is SHIPPED\.$/, /^Archived client /]],
        ] as const) {
          const run = await keyfront(['trigger', type, '--demo', demoFile]);
          const [triggered, ...done] = run.stderr.trimEnd().split('\n');
          expect([run.code, triggered]).toEqual([0, expect.stringContaining(`Triggered ${type} of `)]);
          expect(done).toEqual(traces.map((trace) => expect.stringMatching(trace)));
        }
        expect(await countClients()).toBe(clientCount);
        await keyfront(['trigger', 'client.created', '--demo', demoFile, '--keep']);
        expect(await countClients()).toBe(clientCount + 1);

        // Charts and exports.
        expect((await output('chart', '--interval', 'month')).split('\n')[0]).toMatch(
          /^DATE +ORDERS +REVENUE +CURRENCY$/,
        );
        const json = await keyfront(['orders', 'export', '-o', 'orders.json']);
        expect([json.code, json.stdout]).toEqual([0, '']);
        expect(json.stderr).toMatch(/^Wrote 205 orders to orders\.json \([\d.]+ kB in [\d.]+ s\)\.\n$/);
        expect(JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8'))).toHaveLength(205);
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

        // Sessions.
        const signedIn = ['login', '--demo', demoFile, '--wallet', '--profile', 'lost'];
        await output(...signedIn);
        const sessions = JSON.parse(await output('sessions', 'list', '--json', '--profile', 'lost'));
        const [{ id: lost }] = sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
        expect(await output('sessions', 'end', lost, '--profile', 'wallet')).toBe(`Ended session ${lost}.\n`);
        expect(await keyfront(['keys', 'list', '--profile', 'lost'])).toMatchObject({ code: 3 });
        await output(...signedIn);
        expect(await output('sessions', 'end', '--others', '--profile', 'wallet')).toBe('Ended 1 session.\n');
        expect(await keyfront(['keys', 'list', '--profile', 'lost'])).toMatchObject({ code: 3 });

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
});

describe('an interrupted export', () => {
  it.each(['csv', 'json', 'xlsx'])(
    'leaves no %s file and exits with 130',
    { tags: ['long'] },
    async (extension) => {
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
    },
  );
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
