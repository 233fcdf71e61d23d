import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

describe('keys and webhooks in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let storefront: Keyfront;
  let receiver: WebhookReceiver;

  useDemoConsole(
    async (opened) => {
      receiver = await startReceiver();
      ({ service, browser, storefront } = opened);
      const [first] = service.demo.holders;
      holder = await browser.signIn(first.name);
    },
    { sendsWebhooks: true },
  );
  afterAll(async () => {
    await receiver?.close();
  });
  beforeEach(() => {
    receiver.received.length = 0;
  });
  afterEach(() => holder.expectNoComplaints());

  const addWebhook = (path: string) =>
    storefront.webhooks.create({ url: receiver.url + path, eventTypes: ['client.updated'] });
  let changes = 0;
  const change = () =>
    storefront.clients.update(service.demo.holders[0].clientIds.ready, { lastName: `Sent-${++changes}` });

  it('renames a key and limits what it may do', async () => {
    const { page } = holder;
    const session = new Keyfront({ baseUrl: service.origin, token: await holder.readToken() });
    const { id } = await session.keys.create({
      keyName: 'Old name',
      expiresAt: '2031-02-03T04:05:06Z',
      allowedNetworks: ['203.0.113.0/24'],
    });
    const find = async () => (await session.keys.list({ take: 50 })).keys.find((key) => key.id === id);
    await holder.visit('/keys');
    const open = async (name: string) => {
      await page.getByRole('button', { name: `Change ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await open('Old name');
    const form = page.getByRole('dialog', { name: 'Edit the API key' });
    await form.getByLabel('Name').fill('New name');
    for (const scope of ['orders:read', 'clients:read', 'strains:read', 'sales:read', 'carts:read']) {
      await form.getByLabel('Scopes').fill(scope);
      await form.getByLabel('Scopes').press('Enter');
    }
    await form.getByLabel('Scopes').press('Tab');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('New name is changed').waitFor();
    // In the table: the first ones. What was not touched stays as it is.
    const row = page.getByRole('row').filter({ hasText: 'New name' });
    await row.getByText('carts:read, clients:read, orders:read and 2 more').waitFor();
    await row.getByText('Never').waitFor();
    expect(await find()).toMatchObject({
      keyName: 'New name',
      scopes: ['carts:read', 'clients:read', 'orders:read', 'sales:read', 'strains:read'],
      expiresAt: '2031-02-03T04:05:06.000Z',
      allowedNetworks: ['203.0.113.0/24'],
    });

    await open('New name');
    await form.getByLabel('Scopes').fill('nonsense');
    await form.getByLabel('Scopes').press('Enter');
    await form.getByLabel('Scopes').press('Tab');
    holder.expectRefusal(400);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Entry 6 must/).waitFor();
    // The field to correct has the focus. The first press closes its list.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Discard' }).click();
    // Nothing of what was not saved is left.
    await open('New name');
    expect(await form.getByText('nonsense').count()).toBe(0);
    while ((await form.locator('.mantine-TagsInput-pill').first().getByText(/:/).count()) > 0) {
      await form.getByLabel('Scopes').press('Backspace');
    }
    await form.getByLabel('Scopes').press('Tab');
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Everything').waitFor();
    expect((await find())?.scopes).toBeNull();
  });

  it('changes where a webhook sends what', async () => {
    const { page } = holder;
    const { id } = await addWebhook('/before');
    await holder.visit(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit the webhook' });
    await form.getByLabel('Address').fill('http://hooks.example/in');
    holder.expectRefusal(400);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Must/).first().waitFor();
    await form.getByLabel('Address').fill(`${receiver.url}/after`);
    await form.getByLabel('Events').fill('client.created');
    await form.getByLabel('Events').press('Enter');
    await form.getByLabel('Events').press('Tab');
    await form.getByLabel('Description').fill('To the warehouse');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `${receiver.url}/after` }).waitFor();
    expect(await storefront.webhooks.get(id)).toMatchObject({
      url: `${receiver.url}/after`,
      eventTypes: ['client.updated', 'client.created'],
      description: 'To the warehouse',
    });
    await change();
    await expect.poll(() => receiver.at('/after').length).toBe(1);
    expect(receiver.at('/before')).toEqual([]);
  });

  it('shows what the endpoint has responded and how long it took, and sends it again', async () => {
    const { page } = holder;
    const body = '<img src=x onerror="window.isHacked = true"> not today';
    receiver.paths.set('/moody', (response) => response.writeHead(503).end(body));
    const { id } = await addWebhook('/moody');
    await holder.visit(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    await row.getByRole('cell', { name: '503' }).waitFor();
    await row.getByRole('cell', { name: /^[\d.]+ m?s$/ }).waitFor();
    await row.getByRole('button', { name: 'webhook.test', exact: true }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'webhook.test' });
    await drawer.getByText('The endpoint responded with 503').waitFor();
    await drawer.getByRole('region', { name: 'Beginning of the response' }).getByText(body).waitFor();
    expect(await page.evaluate('window.isHacked')).toBeUndefined();
    await expectAccessible(page);
    // The endpoint has recovered, which the open details show.
    receiver.paths.set('/moody', (response) => response.end('welcome back'));
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('alert').getByText('webhook.test is on its way again').waitFor();
    await drawer.getByText('welcome back').waitFor();
    await drawer.getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await row.getByText('Delivered').waitFor();
    await page.getByLabel('Which deliveries').selectOption('Failed');
    await page.getByText('No delivery is failed.').waitFor();
    await page.reload();
    await page.getByText('No delivery is failed.').waitFor();
    await page.getByLabel('Which deliveries').selectOption('Delivered');
    await row.waitFor();
  });

  it('says why there was no response', async () => {
    const { page } = holder;
    receiver.paths.set('/closed', (response) => response.destroy());
    const { id } = await addWebhook('/closed');
    await holder.visit(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('cell', { name: 'The endpoint closed the connection without a response' }).waitFor();
  });

  it('replays everything since a time, and nothing while it is disabled', async () => {
    const { page } = holder;
    await change();
    const { id } = await addWebhook('/late');
    await holder.visit(`/webhooks/${id}`);
    await page.getByText('Nothing was sent yet').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    await dialog.getByLabel('Since').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText(/^The events since .* are on their way$/).waitFor();
    await expect.poll(() => receiver.at('/late').length).toBeGreaterThanOrEqual(changes);
    await page.getByRole('cell', { name: 'client.updated' }).first().waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    for (const name of ['Replay', 'Send a test', /^Send again/]) {
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });
});
