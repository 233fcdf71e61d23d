import { createHmac, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { readDemo } from '../support/demo-console.ts';
import { type PackageRegistry, startPackageRegistry } from '../support/package-registry.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { type StartedProgram, startProgram } from '../support/start-program.ts';
import { findPort } from '../support/storefront-shop.ts';
import { testDataKey } from '../support/test-app.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
/** Installing takes as long as the registry does. */
const timeout = 900_000;
const shopToken = 'a token for tests';

describe('the starting points without pages', { timeout }, () => {
  let registry: PackageRegistry;
  beforeAll(async () => {
    registry = await startPackageRegistry('sdk');
  }, timeout);
  afterAll(() => registry?.close());

  /** A copy of an example, and nothing else of the repository. */
  async function copyExample(name: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `keyfront-${name}-`));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(join(examples, name), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    return folder;
  }

  it.each([
    ['express', ['server.mjs']],
    ['worker', ['worker.mjs']],
    ['python', ['shop.py', 'server.py']],
  ])('%s: no program has a hundred lines', async (name, files) => {
    for (const file of files) {
      const text = await readFile(join(examples, name, file), 'utf8');
      expect([file, text.split('\n').length]).toEqual([
        file,
        expect.toSatisfy((lines: number) => lines <= 100),
      ]);
    }
  });

  it('express sells', async () => {
    const folder = await copyExample('express');
    await registry.run(folder, ['npm', 'install']);
    await expectShop((env) =>
      startProgram(['npm', 'start'], /^Ready: /m, { cwd: folder, env: { ...registry.env, ...env } }),
    );
  });

  it('worker sells, without an install step', async () => {
    const folder = await copyExample('worker');
    await registry.run(folder, ['npm', 'install', '--ignore-scripts']);
    await registry.run(folder, ['npm', 'run', 'build']);
    await expectShop((env) => {
      const command = [
        'npx',
        'workerd',
        'serve',
        'config.capnp',
        '--socket-addr',
        `http=127.0.0.1:${env.PORT}`,
      ];
      return startProgram(command, null, { cwd: folder, env: { ...registry.env, ...env } });
    });
  });

  it('python sells', needs('Python'), async () => {
    const folder = await copyExample('python');
    await expectShop((env) =>
      startProgram(['python3', 'server.py'], /^Ready: /m, { cwd: folder, env: { ...registry.env, ...env } }),
    );
  });
});

type Start = (env: Readonly<Record<string, string>>) => Promise<StartedProgram>;

/** What each starting point does, seen from outside. */
async function expectShop(start: Start): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const service = startService({ ...settings, DATA_ENCRYPTION_KEY: testDataKey.toString('base64') });
    const baseUrl = await service.ready;
    const { holders, admin } = await readDemo(settings.KEYFRONT_DATA);
    const { apiKey, secretKey } = holders[0];
    const holder = new Keyfront({ baseUrl, apiKey, secretKey });
    const port = await findPort();
    const url = `http://127.0.0.1:${port}`;
    const webhook = await holder.webhooks.create({ url: `${url}/hooks/keyfront`, eventTypes: ['order.*'] });
    const program = await start({
      ...{ KEYFRONT_URL: new URL(baseUrl).origin, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey },
      ...{ KEYFRONT_WEBHOOK_SECRET: webhook.secret, SHOP_TOKEN: shopToken, PORT: String(port) },
    });
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(404);

    // The catalogue.
    const strains = await (await fetch(`${url}/strains?country=PRT`)).json();
    const { strains: expected } = await holder.strains.list({ countryCode: 'PRT', take: 100 });
    expect(strains).toEqual(
      expected.map(({ id, name, retailPrice, currency, stockQuantity }) => ({
        ...{ id, name, price: retailPrice, currency, stock: stockQuantity },
      })),
    );
    expect((await fetch(`${url}/strains?country=Portugal`)).status).toBe(400);

    // An order, once.
    const administrator = await new Keyfront({ baseUrl }).signIn({
      ...privateKeyToAccount(admin.walletPrivateKey),
      admin: true,
    });
    const { id: clientId } = await holder.clients.create({
      ...{ firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` },
      shipping: { address1: 'Rua do Exemplo 1', city: 'Lisboa', countryCode: 'PRT' },
    });
    const strainId = expected.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 5)?.id;
    const post = (body: unknown, token = shopToken) =>
      fetch(`${url}/orders`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      });
    const reference = randomUUID();
    const order = { reference, clientId, items: [{ strainId, quantity: 1 }] };
    expect((await post(order, 'another token')).status).toBe(401);
    const early = await post({ ...order, reference: randomUUID() });
    expect([early.status, await early.json()]).toEqual([
      403,
      { error: 'Client is not verified', code: 'CLIENT_NOT_VERIFIED' },
    ]);
    await administrator.admin.clients.update(clientId, { isKYCVerified: true, adminApproval: 'VERIFIED' });
    const answers = await Promise.all([post(order), post(order), post(order)]);
    const again = await post(order);
    const placed = await Promise.all(
      [...answers, again].map((answer) => answer.json() as Promise<{ id?: string }>),
    );
    const { orders } = await holder.orders.list({ clientId });
    expect(orders).toMatchObject([{ externalReference: reference }]);
    const [only] = orders;
    const id = only?.id;
    expect(placed.at(-1)).toEqual({
      ...{ id, invoiceNumber: only?.invoiceNumber, totalAmount: only?.totalAmount, currency: only?.currency },
    });
    // One that comes while another is being placed may be told to wait.
    for (const [place, { status }] of answers.entries())
      expect([status, placed[place]?.id]).toEqual(status === 201 ? [201, id] : [409, undefined]);

    for (const [body, status] of [
      ['{', 400],
      ['null', 400],
      [{ ...order, reference: '../' }, 400],
      [{ ...order, reference: randomUUID(), items: 'all' }, 400],
      [{ ...order, padding: 'x'.repeat(60_000) }, 413],
    ] as const)
      expect([JSON.stringify(body).slice(0, 50), (await post(body)).status]).toEqual([
        expect.anything(),
        status,
      ]);
    expect((await holder.orders.list({ clientId })).orders).toHaveLength(1);

    // The event of the order, and what only looks like one.
    await expect.poll(() => program.output()).toMatch(/order\.created \S+/);
    const [, eventId = ''] = /order\.created (\S+)/.exec(program.output()) ?? [];
    const body = JSON.stringify({ id: 'evt_forged', type: 'order.shipped', data: {} });
    const deliver = (signed: Record<string, string>, sent = body) =>
      fetch(`${url}/hooks/keyfront`, {
        method: 'POST',
        body: sent,
        headers: { 'content-type': 'application/json', ...signed },
      });
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    for (const headers of [
      {},
      signDelivery(other, 'evt_forged', body),
      signDelivery(webhook.secret, 'evt_forged', body, 600),
      { ...signDelivery(webhook.secret, 'evt_other', body), 'webhook-id': 'evt_forged' },
      { ...signDelivery(webhook.secret, 'evt_forged', body), 'webhook-timestamp': 'now' },
    ])
      expect((await deliver(headers)).status).toBe(400);
    const large = JSON.stringify({ padding: 'x'.repeat(1_100_000) });
    expect((await deliver(signDelivery(webhook.secret, 'evt_forged', large), large)).status).toBe(413);
    expect(program.output()).not.toContain('evt_forged');
    const { events } = await holder.events.list({ type: 'order.*', take: 100 });
    const event = JSON.stringify(events.find((each) => each.id === eventId));
    expect((await deliver(signDelivery(webhook.secret, eventId, event), event)).status).toBe(204);
    expect(program.output()).not.toContain(secretKey);

    // Without the service, callers learn that it is away.
    expect(await service.end()).toBe(0);
    expect((await fetch(`${url}/strains`)).status).toBe(502);
    await program.end();
  });
}

/** The headers of a delivery, made without the code that verifies them. */
function signDelivery(secret: string, id: string, body: string, ageSeconds = 0): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
