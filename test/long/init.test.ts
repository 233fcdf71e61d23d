import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { readDemo } from '../support/demo-console.ts';
import { readDocument, readPrograms } from '../support/guide-programs.ts';
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { startProgram } from '../support/start-program.ts';
import { findPort } from '../support/storefront-shop.ts';
import { testDataKey } from '../support/test-app.ts';

const guide = readDocument('docs/guides/storefront.md');
/** Installing takes as long as the registry does. */
const timeout = 900_000;

describe('keyfront init', { timeout }, () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry('sdk', 'cli');
  }, timeout);
  afterAll(() => registry?.close());

  it('makes a shop in an empty folder from the packed packages, and the shop takes an order', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, DATA_ENCRYPTION_KEY: testDataKey.toString('base64') });
      const serviceUrl = await service.ready;
      const parent = dirname(settings.KEYFRONT_DATA);
      const empty = join(parent, 'empty');
      await mkdir(empty);
      const env = {
        ...registry.env,
        KEYFRONT_CONFIG: join(parent, 'profiles.json'),
        // npx keeps what it has installed, also from an earlier run of this test.
        npm_config_cache: join(parent, 'npm-cache'),
        // For the question whether to install the package.
        npm_config_yes: 'true',
      };
      const run = (cwd: string, ...command: [string, ...string[]]) => registry.run(cwd, command, env);
      const demoFile = join(settings.KEYFRONT_DATA, 'demo.json');
      await run(empty, 'npx', '@keyfront/cli', 'login', '--demo', demoFile, '--wallet');
      const port = await findPort();
      const [copying, starting = ''] = readPrograms(guide, 'A shop of your own', 'sh');
      const commands = copying
        .replace('https://keyfront.example', new URL(serviceUrl).origin)
        .replace(/^npx .*$/m, `$& --port ${port}`);
      expect(starting).toBe('npm install\nnpm run dev\n');
      const printed = await run(empty, 'bash', '-c', `set -e\n${commands}`);
      expect(printed).toContain('Created the shop my-shop on http://127.0.0.1');
      expect(printed).toContain('Its API key "my-shop" is registered.');
      expect(printed).toContain('cd my-shop\n  npm install\n  npm run dev\n');
      const folder = join(empty, 'my-shop');
      expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
      const secrets = readSecrets(await readFile(join(folder, '.env'), 'utf8'));
      for (const secret of secrets) expect(printed).not.toContain(secret);
      await run(folder, 'git', 'init', '--quiet');
      const added = (await run(folder, 'git', 'add', '--all', '--dry-run')).split('\n');
      expect(added).toEqual(
        expect.arrayContaining(["add '.env.example'", "add '.gitignore'", "add 'AGENTS.md'"]),
      );
      expect(added).not.toContain("add '.env'");

      await run(folder, 'npm', 'install');
      // One Vite, as in the clone: that of `vite-node` would be another.
      const vites = (await run(folder, 'npm', 'ls', 'vite', '--all')).matchAll(/ vite@([\d.]+)/g);
      expect([...new Set([...vites].map(([, version]) => version))]).toHaveLength(1);
      await run(folder, 'npm', 'run', 'typecheck');
      await run(folder, 'npm', 'run', 'build');

      const url = `http://127.0.0.1:${port}`;
      const shop = await startProgram(['npm', 'start'], /\[react-router-serve\] http/, { cwd: folder, env });
      const { admin, holders } = await readDemo(settings.KEYFRONT_DATA);
      const holder = new Keyfront({ baseUrl: serviceUrl, ...holders[0] });
      const administrator = await new Keyfront({ baseUrl: serviceUrl }).signIn({
        ...privateKeyToAccount(admin.walletPrivateKey),
        admin: true,
      });
      const customer = new Customer(url);
      await customer.register('first@example.org');
      const { clients } = await holder.clients.list({ email: 'first@example.org' });
      const clientId = clients[0]?.id ?? '';
      await administrator.admin.clients.update(clientId, { isKYCVerified: true, adminApproval: 'VERIFIED' });
      const orderId = await customer.order(await findStrain(holder));
      expect(await holder.orders.list({ clientId })).toMatchObject({ orders: [{ id: orderId }] });
      // Nobody has created a webhook: the shop asks for what has happened.
      await administrator.admin.orders.update(orderId, { adminApproval: 'VERIFIED' });
      await expect.poll(() => customer.get(`/orders/${orderId}`)).toMatch(/Ordered.*Approved/s);
      for (const secret of secrets) expect(customer.received.includes(secret)).toBe(false);
      await shop.end();

      // With the wallet of the demo, and without a profile.
      const demo = [
        '@keyfront/cli',
        'init',
        'other-shop',
        '--demo',
        demoFile,
        '--json',
        '--profile',
        'none',
      ] as const;
      expect(JSON.parse(await run(empty, 'npx', ...demo))).toMatchObject({
        folder: join(empty, 'other-shop'),
      });
      const keys = await run(empty, 'npx', '@keyfront/cli', 'keys', 'list', '--json');
      expect(JSON.parse(keys)).toEqual(
        expect.arrayContaining(
          ['my-shop', 'other-shop'].map((keyName) =>
            expect.objectContaining({ keyName, scopes: expect.arrayContaining(['orders:write']) }),
          ),
        ),
      );

      const development = await startProgram(['npm', 'run', 'dev'], /Local:/, { cwd: folder, env });
      expect(await (await fetch(url)).text()).toContain('<h1>Catalogue</h1>');
      await development.end();
      expect(await service.end()).toBe(0);
    });
  });
});

function readSecrets(env: string): string[] {
  return ['KEYFRONT_SECRET_KEY', 'SESSION_SECRET'].map((name) => {
    const [, value = ''] = new RegExp(`^${name}=(.+)$`, 'm').exec(env) ?? [];
    expect(value.length).toBeGreaterThan(30);
    return value;
  });
}

async function findStrain(holder: Keyfront): Promise<string> {
  const { strains } = await holder.strains.list({ countryCode: 'PRT', take: 100 });
  return strains.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 5)?.id ?? '';
}

/** A customer whose browser runs no scripts. */
class Customer {
  received = '';
  #cookie = '';
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async get(path: string): Promise<string> {
    return (await this.#send(path)).text();
  }

  async register(email: string): Promise<void> {
    const asked = await (await this.#send('/sign-in', { email })).text();
    const [, code = ''] = /class="code">(\d{6})</.exec(asked) ?? [];
    await this.#send('/sign-in', { email, code });
    const registered = await this.#send('/register', {
      ...{ firstName: 'Greta', lastName: 'Example', address: 'Rua do Exemplo 1', postalCode: '1000-001' },
      ...{ city: 'Lisboa', countryCode: 'PRT', conditions: 'I cannot sleep.', isAdult: 'on' },
    });
    expect(registered.status).toBe(302);
  }

  /** Orders one of a strain, and returns the id of the order. */
  async order(strainId: string): Promise<string> {
    await this.#send('/cart', { intent: 'add', strainId, quantity: '1' });
    const checkout = await this.get('/checkout');
    const inputs = [...checkout.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const form = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
    const placed = await this.#send('/checkout', form);
    expect([placed.status, placed.headers.get('location')]).toEqual([302, expect.stringContaining('http')]);
    const [, id = ''] = /href="\/orders\/([0-9a-f-]{36})"/.exec(await this.get('/orders')) ?? [];
    return id;
  }

  async #send(path: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(this.#url + path, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: { origin: this.#url, cookie: this.#cookie },
      redirect: 'manual',
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    const text = await response.clone().text();
    this.received += JSON.stringify([...response.headers]) + text;
    return response;
  }
}
