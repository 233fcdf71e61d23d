// Starts the example storefront on the demo data: builds it if it has changed, starts the service if none runs, and
// registers the webhook of the shop. `npm run storefront` sets the clone up first.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuthenticationError, Keyfront } from '@keyfront/sdk';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const storefront = join(root, 'examples', 'storefront');
const dataFolder = resolve(root, process.env.KEYFRONT_DATA || '.keyfront');
const demoFile = join(dataFolder, 'demo.json');
/** What the shop keeps from start to start, beside the data of the service, which is not in the repository either. */
const shopFolder = join(dataFolder, 'storefront');
const secretsFile = join(shopFolder, 'secrets.json');
const port = Number(process.env.STOREFRONT_PORT || 3100);
const shopUrl = `http://127.0.0.1:${port}`;
const hookUrl = `${shopUrl}/hooks/keyfront`;
const eventTypes = ['client.*', 'order.*', 'payment.*', 'shipment.*'];

/** The programs that this one has started, the last one first. */
const children = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
process.on('exit', () => children.forEach((child) => void child.kill('SIGTERM')));

if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail(`STOREFRONT_PORT must be a port, and is "${process.env.STOREFRONT_PORT}".`);
if (await isTaken(port))
  fail(
    `Port ${port} is taken, perhaps by another storefront. Choose another one: STOREFRONT_PORT=3101 npm run storefront`,
  );
const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build-storefront.mjs')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

if (!(await isServiceRunning())) await startService();
const { baseUrl, consoleUrl, holders } = readDemo() ?? fail(noDemo());
const { apiKey, secretKey } = holders[0];
const { sessionSecret, webhookSecret } = await prepareSecrets();
await startShop();
process.stdout.write(`
  Shop     ${shopUrl}
  Console  ${consoleUrl ?? 'is not served'}

What to try:
  1. Choose a country, put something into the cart, and go to the checkout. The page shows the code that a shop would send by e-mail.
  2. Register, and prove your identity on the page of the demo's provider.
  3. Approve the customer in the console, as the administrator, and watch the page of the account.
  4. Order and pay. Approve and ship the order in the console, with the page of the order beside it.
The storefront is ready: ${shopUrl}
`);

function readDemo() {
  try {
    return JSON.parse(readFileSync(demoFile, 'utf8'));
  } catch {
    return null;
  }
}

function noDemo() {
  return `The service has no demo data: ${demoFile} is missing. The storefront is made for the demo. Without DATABASE_URL and KEYFRONT_DEMO=off, the service creates it.`;
}

/** Whether the service of the demo runs already. */
async function isServiceRunning() {
  const demo = readDemo();
  if (!demo) return false;
  return new Keyfront({ baseUrl: demo.baseUrl, maxAttempts: 1 }).health.status().then(
    () => true,
    () => false,
  );
}

async function startService() {
  const service = start(join(root, 'packages', 'server', 'dist', 'bundle', 'main.js'), [], {
    // A line for each request would hide what this program prints.
    LOG_LEVEL: 'warn',
    ...process.env,
  });
  await readyOnce(service, /^Keyfront is ready: /m);
}

/** Secrets that stay the same, so that customers stay signed in and deliveries are accepted. */
async function prepareSecrets() {
  const kept = readSecrets();
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });
  const secrets = {
    sessionSecret: kept.sessionSecret ?? randomBytes(32).toString('base64'),
    ...(await registerWebhook(keyfront, kept).catch((error) =>
      fail(
        error instanceof AuthenticationError
          ? `The service at ${baseUrl} does not know the keys in ${demoFile}: another service may be running there. Stop it, and start again.`
          : `The webhook could not be registered: ${error.message}`,
      ),
    )),
  };
  mkdirSync(shopFolder, { recursive: true, mode: 0o700 });
  writeFileSync(`${secretsFile}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${secretsFile}.new`, secretsFile);
  return secrets;
}

function readSecrets() {
  try {
    return JSON.parse(readFileSync(secretsFile, 'utf8'));
  } catch {
    return {};
  }
}

/** The secret of a webhook is shown once. If it is not kept, the webhook gets a new one. */
async function registerWebhook(keyfront, { webhookId, webhookSecret }) {
  const { webhooks } = await keyfront.webhooks.list();
  const existing = webhooks.find(({ url }) => url === hookUrl);
  if (!existing) {
    const { id, secret } = await keyfront.webhooks.create({ url: hookUrl, eventTypes });
    return { webhookId: id, webhookSecret: secret };
  }
  if (existing.id === webhookId) return { webhookId, webhookSecret };
  const { secret } = await keyfront.webhooks.rotateSecret(existing.id);
  return { webhookId: existing.id, webhookSecret: secret };
}

async function startShop() {
  const require = createRequire(join(storefront, 'package.json'));
  const serve = join(dirname(require.resolve('@react-router/serve/package.json')), 'bin.js');
  const shop = start(
    serve,
    [join(storefront, 'build', 'server', 'index.js')],
    {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      SHOP_URL: shopUrl,
      KEYFRONT_URL: new URL(baseUrl).origin,
      KEYFRONT_API_KEY: apiKey,
      KEYFRONT_SECRET_KEY: secretKey,
      KEYFRONT_WEBHOOK_SECRET: webhookSecret,
      SESSION_SECRET: sessionSecret,
      DATABASE_FILE: join(shopFolder, 'shop.db'),
      SHOW_SIGN_IN_CODES: 'on',
    },
    storefront,
  );
  await readyOnce(shop, /\[react-router-serve\] http/);
}

/** Starts a program whose output is shown. When it ends by itself, everything ends. */
function start(file, args, env, cwd = root) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.pipe(process.stdout, { end: false });
  children.unshift(child);
  child.once('close', (code) => void stop(code || 1));
  return child;
}

/** Waits until a program has printed that it is ready. If it ends before, everything ends. */
function readyOnce(child, pattern) {
  return new Promise((resolve) => {
    let printed = '';
    const read = (chunk) => {
      printed += chunk;
      if (!pattern.test(printed)) return;
      child.stdout.off('data', read);
      resolve();
    };
    child.stdout.on('data', read);
  });
}

async function isTaken(wanted) {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(true));
    server.listen(wanted, '127.0.0.1', () => server.close(() => done(false)));
  });
}

/** Ends what was started: first the shop, then the service. */
async function stop(code) {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.removeAllListeners('close');
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  process.exit(code);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
