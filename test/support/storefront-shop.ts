import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { killTree, type ServiceProcess, spawnService } from '../../faults/src/processes/spawn-service.ts';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { readDemo } from './demo-console.ts';
import { getPrepared } from './prepared.ts';
import { testDataKey } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

const storefront = fileURLToPath(new URL('../../examples/storefront/', import.meta.url));
const require = createRequire(join(storefront, 'package.json'));
const Database: typeof import('libsql') = require('libsql');
const serve = join(dirname(require.resolve('@react-router/serve/package.json')), 'bin.js');

/** The built storefront in a process of its own, beside a service with the demo. */
export interface Shop {
  readonly url: string;
  /** The address of the service, which stays the same when it is started again. */
  readonly serviceUrl: string;
  /** What the shop knows and nobody else may: its secret key among it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The SDK with the key of the shop, and with the token of the administrator. */
  readonly holder: Keyfront;
  readonly admin: Keyfront;
  /** How many events of a client are in the shop's own database. */
  countEvents(clientId: string): number;
  startService(): Promise<void>;
  killService(): Promise<void>;
  startShop(): Promise<void>;
  killShop(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a service and a shop on it. `through` is the address at which the shop reaches the service, if it is another, and `others` are
 * settings of the shop that differ from the usual ones.
 */
export async function openShop(
  through?: (serviceUrl: string) => string,
  others: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-shop-'));
  const database = await createTestDatabase('demo');
  await copyFile((await getPrepared('demo')).file, join(folder, 'demo.json'));
  const [servicePort, shopPort] = [await findPort(), await findPort()];
  const serviceUrl = `http://127.0.0.1:${servicePort}`;
  const url = `http://127.0.0.1:${shopPort}`;
  const { holders, admin } = await readDemo(folder);
  const { apiKey, secretKey } = holders[0];

  let service: ServiceProcess | null = null;
  const startService = async () => {
    service = spawnService({
      ...{ DATABASE_URL: database.loginUrl, DATABASE_OWNER_URL: database.ownerUrl },
      ...{ JWT_SECRET: 'a secret for tests, long enough to be one', PORT: String(servicePort) },
      ...{ KEYFRONT_DATA: folder, KEYFRONT_DEMO: 'on', DATA_ENCRYPTION_KEY: testDataKey.toString('base64') },
    });
    await service.ready;
  };
  const killService = async () => {
    if (service) await killTree(service);
    service = null;
  };
  let shop: Awaited<ReturnType<typeof spawnShop>> | null = null;
  const killShop = async () => {
    await shop?.end();
    shop = null;
  };
  const close = async () => {
    await killShop();
    await killService();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await startService();

    const holder = new Keyfront({ baseUrl: serviceUrl, apiKey, secretKey });
    const webhook = await holder.webhooks.create({
      url: `${url}/hooks/keyfront`,
      eventTypes: ['client.*', 'order.*', 'payment.*', 'shipment.*'],
    });
    const settings = {
      ...{ HOST: '127.0.0.1', PORT: String(shopPort), SHOP_URL: url, SHOW_SIGN_IN_CODES: 'on' },
      KEYFRONT_URL: through?.(serviceUrl) ?? serviceUrl,
      KEYFRONT_API_KEY: apiKey,
      KEYFRONT_SECRET_KEY: secretKey,
      KEYFRONT_WEBHOOK_SECRET: webhook.secret,
      SESSION_SECRET: randomBytes(32).toString('base64'),
      DATABASE_FILE: join(folder, 'shop.db'),
      ...others,
    };
    const startShop = async () => {
      shop = await spawnShop(settings);
    };
    await startShop();
    return {
      ...{ url, serviceUrl, settings, holder, startService, killService, startShop, killShop },
      admin: await new Keyfront({ baseUrl: serviceUrl }).signIn({
        ...privateKeyToAccount(admin.walletPrivateKey),
        admin: true,
      }),
      countEvents: (clientId) => {
        const own = new Database(settings.DATABASE_FILE, { readonly: true });
        try {
          return own.prepare('SELECT id FROM events WHERE client_id = ?').all(clientId).length;
        } finally {
          own.close();
        }
      },
      close,
    };
  } catch (error) {
    // Nobody else could end what was started.
    await close();
    throw error;
  }
}

/** Starts the shop with these settings and no others. Rejects with what it prints if it does not start. */
export async function spawnShop(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [serve, 'build/server/index.js'], {
    cwd: storefront,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes('[react-router-serve] http')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The shop ended before it was ready:\n${printed}`)));
  });
  return {
    end: async (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** A port that nobody listens on. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
