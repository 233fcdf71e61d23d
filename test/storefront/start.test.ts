import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { readDemo } from '../support/demo-console.ts';
import { type DemoSettings, onDemoDatabase, startService } from '../support/service-process.ts';
import { findPort } from '../support/storefront-shop.ts';
import { testDataKey } from '../support/test-app.ts';

const script = fileURLToPath(new URL('../../scripts/storefront.mjs', import.meta.url));

/** Runs `npm run storefront` without its setup, which would rebuild the code that other tests run. */
function startStorefront(settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes('The storefront is ready: ')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The storefront ended before it was ready:\n${printed}`)));
  });
  ready.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return {
    ready,
    ended,
    output: () => printed,
    end: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const portsFor = async (settings: DemoSettings) => ({
  ...settings,
  DATA_ENCRYPTION_KEY: testDataKey.toString('base64'),
  PORT: String(await findPort()),
  STOREFRONT_PORT: String(await findPort()),
});

it('starts the service and the shop with one command, and keeps its webhook and its secrets', async () => {
  await onDemoDatabase(async (base) => {
    const settings = await portsFor(base);
    const url = `http://127.0.0.1:${settings.STOREFRONT_PORT}`;
    const listWebhooks = async () => {
      const { baseUrl, holders } = await readDemo(settings.KEYFRONT_DATA);
      return (await new Keyfront({ ...holders[0], baseUrl }).webhooks.list()).webhooks;
    };
    const first = startStorefront(settings);
    await first.ready;
    expect(first.output()).toContain(`Shop     ${url}`);
    expect(await (await fetch(url)).text()).toContain('<h1>Catalogue</h1>');
    const before = await listWebhooks();
    expect(before).toMatchObject([{ url: `${url}/hooks/keyfront` }]);
    const { mode } = await stat(join(settings.KEYFRONT_DATA, 'storefront', 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(await first.end()).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    await expect(listWebhooks()).rejects.toThrow();

    // Beside a service that runs already, and stays.
    const service = startService(settings);
    await service.ready;
    const second = startStorefront(settings);
    await second.ready;
    expect((await fetch(url)).status).toBe(200);
    expect(await listWebhooks()).toEqual(before);
    expect(await second.end()).toBe(0);
    expect(await listWebhooks()).toEqual(before);
  });
});

it('says what is wrong when it cannot start', async () => {
  await onDemoDatabase(async (base) => {
    const settings = await portsFor(base);
    const taken = createServer().listen(Number(settings.STOREFRONT_PORT), '127.0.0.1');
    await once(taken, 'listening');
    const blocked = startStorefront(settings);
    expect(await blocked.ended).toBe(1);
    expect(blocked.output()).toContain(`Port ${settings.STOREFRONT_PORT} is taken`);
    taken.close();

    const wrong = startStorefront({ ...settings, STOREFRONT_PORT: 'eighty' });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toContain('STOREFRONT_PORT must be a port');

    const invalid = startStorefront({ ...settings, DATABASE_URL: 'not a database' });
    expect(await invalid.ended).not.toBe(0);
    expect(invalid.output()).toContain('DATABASE_URL');
  });
});
