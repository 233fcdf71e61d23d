import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keyfront } from '@keyfront/sdk';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onTestCluster, startService, withDataFolder } from './support/service-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const timeout = 120_000;

/** What places an order, whatever language its project is written in. */
const placeOrder = `async function placeOrder(Keyfront, { clientId, ...options }) {
  const keyfront = new Keyfront(options);
  const { strains } = await keyfront.strains.list({ take: 100 });
  const strain = strains.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 10);
  await keyfront.carts.add({ clientId, cartItems: [{ strainId: strain.id, quantity: 1 }] });
  const order = await keyfront.orders.create({ clientId });
  return order.id;
}`;
const options = 'JSON.parse(process.env.KEYFRONT_OPTIONS)';

const typescriptProgram = `import { Keyfront, type KeyfrontOptions, NotFoundError } from '@keyfront/sdk';

declare const process: { env: Record<string, string> };

async function placeOrder({ clientId, ...options }: KeyfrontOptions & { clientId: string }): Promise<string> {
  const keyfront = new Keyfront(options);
  const { strains, pageMetaDto } = await keyfront.strains.list({ take: 100 });
  const pages: number = pageMetaDto.pageCount;
  const strain = strains.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 10);
  if (!strain || pages < 1) throw new Error('There is nothing to order');
  await keyfront.carts.add({ clientId, cartItems: [{ strainId: strain.id, quantity: 1 }] });
  const order = await keyfront.orders.create({ clientId });
  const price: string = order.totalAmount;
  for await (const { invoiceNumber } of keyfront.orders.export({ search: order.invoiceNumber })) {
    if (invoiceNumber !== order.invoiceNumber || !price) throw new Error('Another order was found');
  }
  try {
    await keyfront.orders.get('019a8f3e-7c00-7000-8000-00000000dead');
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  // @ts-expect-error An order is for a client.
  keyfront.orders.create({}).catch(() => undefined);
  return order.id;
}

console.log(await placeOrder(JSON.parse(process.env['KEYFRONT_OPTIONS'] ?? '')));
`;

/** What the README prints, as one program; it is compiled and not run. */
function programOfReadme(): string {
  const readme = readFileSync(join(root, 'packages/sdk/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.+?)^```$/gms)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(4);
  const given = `declare const process: { env: { [name: string]: string } };
declare const clientId: string;
declare const account: { address: string; signMessage(parameters: { message: string }): Promise<string> };
`;
  return given + blocks.join('\n');
}

let folder: string;

/** A project of its own that has the packed packages installed. */
async function makeProject(name: string, files: Record<string, string>): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  for (const [file, content] of Object.entries(files)) await writeFile(join(project, file), content);
  return project;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-consumers-'));
  const packages = ['--workspace', '@keyfront/protocol', '--workspace', '@keyfront/sdk'];
  await run('npm', ['pack', ...packages, '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`);
  expect(packed).toHaveLength(2);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...install, ...packed], { cwd: folder });
}, timeout);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A service with demo data; `ordersOf` lists the orders of the client who is to order, the newest first. */
async function withService(
  settings: Record<string, string>,
  use: (service: { demo: Record<string, string>; ordersOf: () => Promise<string[]> }) => Promise<void>,
): Promise<void> {
  await withDataFolder((dataFolder) =>
    onTestCluster(async (database) => {
      const service = startService({
        ...database,
        ...settings,
        KEYFRONT_DATA: dataFolder,
        KEYFRONT_DEMO: 'on',
      });
      const baseUrl = await service.ready;
      const { holders } = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      const { apiKey, secretKey, clientIds } = holders[0];
      const demo = { baseUrl, apiKey, secretKey, clientId: clientIds.ready };
      const ordersOf = async () => {
        const { orders } = await new Keyfront(demo).orders.list({ clientId: demo.clientId });
        return orders.map(({ id }) => id);
      };
      await use({ demo, ordersOf });
      expect(await service.end()).toBe(0);
    }),
  );
}

/** Compiles a project with the compiler of this one; what it complains about becomes the failure of the test. */
const tsc = (project: string) =>
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });

it('serves projects of every kind of module in Node', { timeout }, async () => {
  const module = await makeProject('module', {
    'package.json': '{"type":"module"}',
    'main.js': `import { Keyfront } from '@keyfront/sdk';\n${placeOrder}\nconsole.log(await placeOrder(Keyfront, ${options}));`,
  });
  const common = await makeProject('common', {
    'package.json': '{"type":"commonjs"}',
    'main.js': `${placeOrder}\nimport('@keyfront/sdk').then(async ({ Keyfront }) => console.log(await placeOrder(Keyfront, ${options})));`,
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
            lib: ['es2022', 'dom', 'dom.asynciterable'],
            module: resolution === 'bundler' ? 'esnext' : 'nodenext',
            moduleResolution: resolution,
            types: [],
            noEmitOnError: true,
          },
        }),
      });
      await tsc(project);
      return project;
    }),
  );
  await withService({}, async ({ demo, ordersOf }) => {
    for (const project of [module, common, ...typescript]) {
      const before = await ordersOf();
      const env = { PATH: process.env.PATH, KEYFRONT_OPTIONS: JSON.stringify(demo) };
      const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
      expect(await ordersOf()).toEqual([stdout.trim(), ...before]);
    }
  });
});

/** `CHROMIUM` from the environment, or one on the path. */
function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = ['chromium', 'google-chrome'].flatMap((name) => folders.map((each) => join(each, name)));
  return process.env.CHROMIUM ?? onPath.find((path) => existsSync(path));
}

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

const executablePath = findBrowser();

it.skipIf(!executablePath)(
  'serves a page in a browser (needs CHROMIUM, chromium or google-chrome)',
  { timeout },
  async () => {
    const project = await makeProject('browser', {
      'package.json': '{"type":"module"}',
      'main.js': `import { Keyfront } from '@keyfront/sdk';
${placeOrder}
globalThis.placeOrder = (options) => placeOrder(Keyfront, options);
globalThis.reasonOf = (options) => new Keyfront(options).planets.list().catch(({ name, reason }) => [name, reason]);`,
    });
    const code = await bundleForBrowsers(project);
    expect(code).not.toContain('node:');
    const { server, origin } = await servePage(code);
    const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    try {
      await withService({ CORS_ORIGINS: origin }, async ({ demo, ordersOf }) => {
        const page = await browser.newPage();
        await page.goto(origin);
        await page.waitForFunction('"placeOrder" in globalThis');
        const before = await ordersOf();
        const placed = await page.evaluate(`placeOrder(${JSON.stringify(demo)})`);
        expect(await ordersOf()).toEqual([placed, ...before]);

        // What helps against a 401 comes through to a page of another origin.
        const { baseUrl } = demo;
        const refused = await page.evaluate(`reasonOf(${JSON.stringify({ baseUrl, token: 'a.b.c' })})`);
        expect(refused).toEqual(['AuthenticationError', expect.stringMatching(/./)]);
      });
    } finally {
      await browser.close();
      server.close();
    }
  },
);
