import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keyfront } from '@keyfront/sdk';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromiumFlags, findChromium } from '../support/find-chromium.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Places an order. The client of the demo lives in South Africa, so the program asks for strains that are sold there. */
const placeOrder = `async function placeOrder(Keyfront, { clientId, ...options }) {
  const keyfront = new Keyfront(options);
  for await (const { id, isAvailable, stockQuantity } of keyfront.strains.list({ countryCode: 'ZAF' })) {
    if (!isAvailable || stockQuantity <= 10) continue;
    await keyfront.carts.add({ clientId, cartItems: [{ strainId: id, quantity: 1 }] });
    const order = await keyfront.orders.create({ clientId });
    return order.id;
  }
}`;
const options = 'JSON.parse(process.env.KEYFRONT_OPTIONS)';

const typescriptProgram = `import {
  Keyfront,
  type KeyfrontOptions,
  NotFoundError,
  type OrderListQuery,
  type OrderWithLines,
  type Strain,
} from '@keyfront/sdk';
import { catalogue } from '@keyfront/sdk/operations';

declare const process: { env: Record<string, string | undefined> };

const isOrderable = ({ isAvailable, stockQuantity }: Strain): boolean => isAvailable && stockQuantity > 10;

async function placeOrder({ clientId, ...options }: KeyfrontOptions & { clientId: string }): Promise<string> {
  const keyfront = new Keyfront(options);
  const { strains, pageMetaDto } = await keyfront.strains.list({ countryCode: 'ZAF', take: 100 });
  const pages: number = pageMetaDto.pageCount;
  const strain: Strain | undefined = strains.find(isOrderable);
  if (!strain || pages < 1) throw new Error('There is nothing to order');
  await keyfront.carts.add({ clientId, cartItems: [{ strainId: strain.id, quantity: 1 }] });
  const order: OrderWithLines = await keyfront.orders.create({ clientId });
  const query: OrderListQuery = { clientId, take: 1 };
  for await (const { id } of keyfront.orders.list(query)) {
    if (id === order.id) break;
    throw new Error('The newest order is not the first one');
  }
  for await (const { invoiceNumber } of keyfront.orders.export({ search: order.invoiceNumber })) {
    if (invoiceNumber !== order.invoiceNumber) throw new Error('Another order was found');
  }
  try {
    await keyfront.orders.get('019a8f3e-7c00-7000-8000-00000000dead');
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'RESOURCE_NOT_FOUND') throw error;
  }
  const statuses: readonly OrderWithLines['orderStatus'][] = catalogue.listOrders.query.status.values;
  if (!statuses.includes(order.orderStatus)) throw new Error('The catalogue does not list the status');
  // @ts-expect-error An order is for a client.
  keyfront.orders.create({}).catch(() => undefined);
  return order.id;
}

// An unset environment variable compiles, and fails in the constructor.
try {
  new Keyfront({ baseUrl: 'http://127.0.0.1', apiKey: process.env['UNSET'], secretKey: process.env['UNSET'] });
  throw new Error('Undefined credentials were accepted');
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
}
console.log(await placeOrder(JSON.parse(process.env['KEYFRONT_OPTIONS'] ?? '')));
`;

/** The examples of the README as one program, which is compiled but not run. */
function programOfReadme(): string {
  const readme = readFileSync(join(root, 'packages/sdk/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.+?)^```$/gms)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(4);
  const declarations = `declare const process: { env: { [name: string]: string | undefined } };
declare const clientId: string;
declare const account: { address: string; signMessage(parameters: { message: string }): Promise<string> };
`;
  return declarations + blocks.join('\n');
}

let folder: string;

/** Creates a project in which the packed SDK is installed. */
async function makeProject(name: string, files: Record<string, string>): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  for (const [file, content] of Object.entries(files)) await writeFile(join(project, file), content);
  return project;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-consumers-'));
  const pack = ['pack', '--workspace', '@keyfront/sdk', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', pack, { cwd: root });
  const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`);
  // Only the SDK: it must not need another package of this repository.
  expect(packed).toHaveLength(1);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...install, ...packed], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a service with demo data. `ordersOf` lists the orders of the demo client, newest first. */
async function withService(
  settings: Record<string, string>,
  use: (service: { demo: Record<string, string>; ordersOf: () => Promise<string[]> }) => Promise<void>,
): Promise<void> {
  await onDemoDatabase(async (demoSettings) => {
    const service = startService({ ...demoSettings, ...settings });
    const baseUrl = await service.ready;
    const { holders } = JSON.parse(readFileSync(join(demoSettings.KEYFRONT_DATA, 'demo.json'), 'utf8'));
    const { apiKey, secretKey, clientIds } = holders[0];
    const demo = { baseUrl, apiKey, secretKey, clientId: clientIds.ready };
    const ordersOf = async () => {
      const { orders } = await new Keyfront(demo).orders.list({ clientId: demo.clientId });
      return orders.map(({ id }) => id);
    };
    await use({ demo, ordersOf });
    expect(await service.end()).toBe(0);
  });
}

/** Compiles a project. The errors of the compiler become the failure of the test. */
const tsc = (project: string) =>
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });

const typesOfBrowsers = { module: 'esnext', lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] };
const typesOfNode = {
  module: 'nodenext',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

it('works in Node projects of every module type', async () => {
  const module = await makeProject('module', {
    'package.json': '{"type":"module"}',
    'main.js': `import { Keyfront } from '@keyfront/sdk';\n${placeOrder}\nconsole.log(await placeOrder(Keyfront, ${options}));`,
  });
  const common = await makeProject('common', {
    'package.json': '{"type":"commonjs"}',
    'main.js': `${placeOrder}\nimport('@keyfront/sdk').then(async ({ Keyfront }) => console.log(await placeOrder(Keyfront, ${options})));`,
  });
  const required = await makeProject('required', {
    'package.json': '{"type":"commonjs"}',
    'main.js': `const { Keyfront } = require('@keyfront/sdk');\n${placeOrder}\nplaceOrder(Keyfront, ${options}).then(console.log);`,
  });
  const typescript = await Promise.all(
    ['bundler', 'nodenext'].map(async (resolution) => {
      const project = await makeProject(resolution, {
        'package.json': '{"type":"module"}',
        'main.ts': typescriptProgram,
        'readme.ts': programOfReadme(),
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            strict: true,
            target: 'es2022',
            ...(resolution === 'bundler' ? typesOfBrowsers : typesOfNode),
            moduleResolution: resolution,
            noEmitOnError: true,
          },
        }),
      });
      await tsc(project);
      return project;
    }),
  );
  await withService({}, async ({ demo, ordersOf }) => {
    for (const project of [module, common, required, ...typescript]) {
      const before = await ordersOf();
      const env = { PATH: process.env.PATH, KEYFRONT_OPTIONS: JSON.stringify(demo) };
      const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
      expect(await ordersOf()).toEqual([stdout.trim(), ...before]);
    }
  });
});

async function bundleForBrowsers(project: string): Promise<string> {
  const bundle = await rolldown({ input: join(project, 'main.js'), platform: 'browser', cwd: project });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

async function servePage(code: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<!doctype html><script type="module" src="/main.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('works in a page in a browser', needs('Chromium'), async () => {
  const project = await makeProject('browser', {
    'package.json': '{"type":"module"}',
    'main.js': `import { Keyfront } from '@keyfront/sdk';
${placeOrder}
globalThis.placeOrder = (options) => placeOrder(Keyfront, options);
globalThis.errorOf = (options) =>
  new Keyfront({ ...options, maxAttempts: 1 }).planets.list().catch(({ name, message, reason }) => ({ name, message, reason }));`,
  });
  const code = await bundleForBrowsers(project);
  expect(code).not.toContain('node:');
  const { server, origin } = await servePage(code);
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  try {
    await withService({ CORS_ORIGINS: origin }, async ({ demo, ordersOf }) => {
      const page = await browser.newPage();
      await page.goto(origin);
      await page.waitForFunction('"placeOrder" in globalThis');
      const before = await ordersOf();
      const placed = await page.evaluate(`placeOrder(${JSON.stringify(demo)})`);
      expect(await ordersOf()).toEqual([placed, ...before]);

      // The reason for a 401 is readable on another origin.
      const { baseUrl } = demo;
      const rejected = await page.evaluate(`errorOf(${JSON.stringify({ baseUrl, token: 'a.b.c' })})`);
      expect(rejected).toMatchObject({ name: 'AuthenticationError', reason: expect.stringMatching(/./) });

      // A page of an origin that is not in CORS_ORIGINS learns what to do.
      const otherOrigin = origin.replace('127.0.0.1', 'localhost');
      await page.goto(otherOrigin);
      await page.waitForFunction('"errorOf" in globalThis');
      const blocked = await page.evaluate(`errorOf(${JSON.stringify({ baseUrl, token: 'a.b.c' })})`);
      expect(blocked).toMatchObject({
        name: 'ConnectionError',
        message: expect.stringContaining(`CORS_ORIGINS must contain ${otherOrigin}`),
      });
    });
  } finally {
    await browser.close();
    server.close();
  }
});
