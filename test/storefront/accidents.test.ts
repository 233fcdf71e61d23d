import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/requirements.ts';
import { launchShopBrowser, type ShopBrowser } from '../support/shop-browser.ts';
import { addToCart, listPlentiful, orderButton, registerApproved } from '../support/shop-customer.ts';
import { openShop, type Shop } from '../support/storefront-shop.ts';

/** What happens at the worst moment, and must do no harm. */
describe('accidents in the storefront', needs('Chromium'), () => {
  let shop: Shop;
  let browser: ShopBrowser;
  /** Called when the service has answered an order, before the shop gets the answer. */
  let onOrderAnswered: (() => Promise<void>) | null = null;
  /** Between the shop and the service. Loses the answer if `onOrderAnswered` is set. */
  const proxy = createServer((request, response) => {
    const { method, url, headers } = request;
    const passed = sendRequest(new URL(url ?? '', shopServiceUrl), { method, headers }, async (answer) => {
      if (method === 'POST' && url?.endsWith('/orders') && onOrderAnswered) {
        await onOrderAnswered();
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  let shopServiceUrl = '';

  beforeAll(async () => {
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    shop = await openShop((serviceUrl) => {
      shopServiceUrl = serviceUrl;
      return `http://127.0.0.1:${port}`;
    });
    browser = await launchShopBrowser(shop);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  const listOrders = async (clientId: string) => (await shop.holder.orders.list({ clientId })).orders;

  it('places one order although the service is killed when it has placed it, before anybody knows', async () => {
    const page = await browser.open();
    const clientId = await registerApproved(page, shop);
    const [strain] = await listPlentiful(shop);
    await addToCart(page, shop, strain, 2);
    await page.goto(`${shop.url}/checkout`);
    onOrderAnswered = () => shop.killService();
    await orderButton(page).click();
    // The form is still there, with the same cart.
    await page.getByText(/We cannot reach our service|We will be back in a moment/).waitFor();
    onOrderAnswered = null;
    await shop.startService();
    expect(await listOrders(clientId)).toHaveLength(1);
    await page.goto(`${shop.url}/checkout`);
    await orderButton(page).click();
    await page.getByRole('heading', { name: 'Pay your order' }).waitFor();
    expect(await listOrders(clientId)).toHaveLength(1);
    const left = (await listPlentiful(shop)).find(({ id }) => id === strain?.id);
    expect(left?.stockQuantity).toBe((strain?.stockQuantity ?? 0) - 2);
    await page.goto(`${shop.url}/cart`);
    await page.getByText('Your cart is empty').waitFor();
  });

  it('knows what happened while it was away, and counts each event once', async () => {
    const page = await browser.open();
    const clientId = await registerApproved(page, shop);
    const [strain] = await listPlentiful(shop);
    const items = [{ strainId: strain?.id ?? '', quantity: 1 }];
    const { id } = await shop.holder.orders.create({ clientId, items });
    await page.goto(`${shop.url}/orders/${id}`);
    const history = page.locator('ol li');
    await expect.poll(() => history.allTextContents()).toEqual([expect.stringContaining('Ordered')]);

    // What a disabled webhook misses, it never sends: only the list of events has it.
    const [webhook] = (await shop.holder.webhooks.list()).webhooks;
    const setEnabled = (isEnabled: boolean) => shop.holder.webhooks.update(webhook?.id ?? '', { isEnabled });
    const expectHistory = (...texts: string[]) =>
      expect
        .poll(() => history.allTextContents())
        .toEqual(texts.map((text) => expect.stringContaining(text)));
    await setEnabled(false);
    await shop.killShop();
    await shop.admin.admin.orders.update(id, { adminApproval: 'VERIFIED' });
    await shop.startShop();
    await page.goto(`${shop.url}/orders/${id}`);
    await expectHistory('Ordered', 'Approved');

    // A gap while the shop runs is noticed with the next delivery, and the page changes by itself.
    await shop.admin.admin.orders.update(id, { paymentStatus: 'PAID' });
    await setEnabled(true);
    await shop.admin.admin.orders.update(id, { orderStatus: 'PROCESSING' });
    await expectHistory('Ordered', 'Approved', 'Paid', 'Being packed');

    // The webhook sends all of them again.
    const { events } = await shop.holder.events.list({ orderBy: 'desc', take: 10 });
    for (const event of events) expect((await deliver(JSON.stringify(event), event.id)).status).toBe(204);
    await page.reload();
    await expectHistory('Ordered', 'Approved', 'Paid', 'Being packed');
    expect(await history.count()).toBe(4);
  });

  it('keeps no event of a customer who is gone', async () => {
    const page = await browser.open();
    const clientId = await registerApproved(page, shop);
    await expect.poll(() => shop.countEvents(clientId)).toBeGreaterThan(0);
    await shop.holder.clients.archive(clientId, { erase: 'true' });
    await expect.poll(() => shop.countEvents(clientId)).toBe(0);
  });

  it('refuses what Keyfront has not signed', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'order.shipped', data: {} });
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect((await deliver(body, 'evt_1', { secret: other })).status).toBe(400);
    expect((await deliver(body, 'evt_1', { ageSeconds: 600 })).status).toBe(400);
    expect((await fetch(`${shop.url}/hooks/keyfront`, { method: 'POST', body })).status).toBe(400);
    expect((await fetch(`${shop.url}/hooks/keyfront`, { method: 'PUT', body })).status).toBe(405);
  });

  /** Sends a message as the webhook does. */
  function deliver(body: string, id: string = randomUUID(), { secret = '', ageSeconds = 0 } = {}) {
    const key = Buffer.from(
      (secret || shop.settings.KEYFRONT_WEBHOOK_SECRET || '').replace('whsec_', ''),
      'base64',
    );
    const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return fetch(`${shop.url}/hooks/keyfront`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    });
  }
});
