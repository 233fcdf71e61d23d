import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/console-browser.ts';
import { needs } from '../support/requirements.ts';
import { launchShopBrowser, type ShopBrowser } from '../support/shop-browser.ts';
import {
  addToCart,
  findClientId,
  listPlentiful,
  orderButton,
  register,
  registerApproved,
  signInAsNew,
} from '../support/shop-customer.ts';
import { openShop, type Shop } from '../support/storefront-shop.ts';

describe('a customer of the storefront', needs('Chromium'), () => {
  let shop: Shop;
  let browser: ShopBrowser;

  beforeAll(async () => {
    shop = await openShop();
    browser = await launchShopBrowser(shop);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });
  afterEach(() => browser.expectNoComplaints());

  const orderId = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? '';

  it('registers from another country, is checked and approved, buys two strains, and sees them shipped', async () => {
    const page = await browser.open();
    const [first, second] = await listPlentiful(shop);
    await addToCart(page, shop, first, 2);
    await addToCart(page, shop, second, 1);
    const email = await signInAsNew(page, shop);
    await expectAccessible(page);
    await register(page, 'Germany');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Prove your identity' }).click();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.getByText('Passed').waitFor();
    const clientId = (await findClientId(shop, email)) ?? '';
    await shop.admin.admin.clients.update(clientId, { adminApproval: 'VERIFIED' });
    // Without a reload.
    await page.getByText('You can order').waitFor();
    expect((await shop.holder.clients.get(clientId)).medicalRecord).toMatchObject({
      conditions: 'I cannot sleep.',
    });

    await page.getByRole('link', { name: 'Cart (3)' }).click();
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await orderButton(page).waitFor();
    await expectAccessible(page);
    await orderButton(page).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.getByText('Waiting for approval').waitFor();
    await page.getByRole('link', { name: 'Cart', exact: true }).waitFor();

    const id = orderId(page);
    await shop.admin.admin.orders.update(id, { adminApproval: 'VERIFIED' });
    await shop.admin.admin.orders.ship(id, {
      ...{ carrier: 'Paketdienst', trackingNumber: 'PD1', trackingUrl: 'https://carrier.example/PD1' },
    });
    await page.getByRole('status').getByText('Shipped').waitFor();
    expect(await page.getByRole('link', { name: 'Track PD1' }).getAttribute('href')).toBe(
      'https://carrier.example/PD1',
    );
    await expectAccessible(page);

    const order = await shop.holder.orders.get(id);
    await shop.admin.admin.orders.refund(id, { amount: 1.5, reason: 'The parcel was late.' });
    await page.getByText(/€1\.50 on .*: The parcel was late\./).waitFor();
    await page.getByText('Money was refunded').waitFor();

    const [left] = (await listPlentiful(shop)).filter((strain) => strain.id === first?.id);
    expect(left?.stockQuantity).toBe((first?.stockQuantity ?? 0) - 2);
    await page.getByRole('link', { name: 'Invoice' }).click();
    for (const text of [order.invoiceNumber, first?.name, second?.name, 'Beispielweg 1'])
      await page
        .getByText(text ?? '')
        .first()
        .waitFor();
    await expectAccessible(page);

    await page.goto(`${shop.url}/orders`);
    await page.getByRole('link', { name: order.invoiceNumber }).waitFor();
    await expectAccessible(page);
    expect(await browser.expectNoSecrets()).toBeGreaterThan(30);
  });

  it('pays again after a payment that failed', async () => {
    const page = await browser.open();
    await registerApproved(page, shop);
    await addToCart(page, shop, (await listPlentiful(shop))[0], 1);
    await page.goto(`${shop.url}/checkout`);
    await orderButton(page).click();
    await page.getByRole('button', { name: 'Let the payment fail' }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.getByText('Your payment has failed, and nothing was taken.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Pay €/ }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.getByText('Waiting for approval').waitFor();
  });

  it('buys without JavaScript', async () => {
    const page = await browser.open({ javaScriptEnabled: false });
    await registerApproved(page, shop);
    await addToCart(page, shop, (await listPlentiful(shop))[0], 1);
    await page.getByRole('link', { name: 'To the checkout' }).click();
    await orderButton(page).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.getByText('Waiting for approval').waitFor();
  });

  it('reads that a strain was sold out or has another price since, and orders once with back and a second click', async () => {
    const page = await browser.open();
    const clientId = await registerApproved(page, shop);
    const [strain] = await listPlentiful(shop);
    const change = (location: object) =>
      shop.admin.admin.strains.update(strain?.id ?? '', {
        strainLocations: [{ countryCode: 'DEU', ...location }],
      });
    await addToCart(page, shop, strain, 2);
    await page.goto(`${shop.url}/checkout`);
    await orderButton(page).waitFor();
    await change({ stockQuantity: 1 });
    await orderButton(page).click();
    await page.getByText(/Somebody was faster: .* has only 1 left\./).waitFor();
    await page.locator('.problem').getByText('Only 1 left.').waitFor();
    expect(await orderButton(page).count()).toBe(0);
    await expectAccessible(page);

    await change({ stockQuantity: strain?.stockQuantity });
    await page.reload();
    await orderButton(page).waitFor();
    const price = (strain?.retailPrice ?? 0) + 1;
    await change({ retailPrice: price });
    await orderButton(page).click();
    await page.getByText(/A price has changed: /).waitFor();
    await page.getByText(`€${price.toFixed(2)} each`).waitFor();
    await change({ retailPrice: strain?.retailPrice });
    await page.reload();

    const { url, body } = await recordForm(page);
    await orderButton(page).dblclick();
    await page.getByRole('heading', { name: 'Pay your order' }).waitFor();
    await page.goBack();
    // What a page from before the order would send: from the history of a browser, or from another window.
    const again = await page.request.post(url, {
      ...{ form: body, maxRedirects: 0, headers: { origin: shop.url } },
    });
    const { orders } = await shop.holder.orders.list({ clientId });
    expect(orders).toHaveLength(1);
    expect([again.status(), again.headers().location]).toEqual([302, `/orders/${orders[0]?.id}`]);
  });

  it('signs in again, and has the data erased', async () => {
    const page = await browser.open();
    const clientId = await registerApproved(page, shop);
    const { email } = await shop.holder.clients.get(clientId);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await page.getByLabel('Code').waitFor();
    await expectAccessible(page);
    const code = (await page.locator('.code').textContent()) ?? '';
    await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This code is not valid').waitFor();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You can order').waitFor();

    const other = await browser.open({ storageState: await page.context().storageState() });
    await page.getByRole('link', { name: 'Erase my data' }).click();
    await page.getByRole('button', { name: 'Erase my data' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Erase my data' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await findClientId(shop, email)).toBeUndefined();
    // A cookie of another device is worth nothing now.
    await other.goto(`${shop.url}/account`);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('does not see the orders of others', async () => {
    const page = await browser.open();
    const { orders } = await shop.holder.orders.list({ take: 1 });
    await registerApproved(page, shop);
    for (const path of ['', '/invoice']) {
      const response = await page.goto(`${shop.url}/orders/${orders[0]?.id}${path}`);
      expect(response?.status()).toBe(404);
    }
  });
});

/** What the form of the checkout sends. */
async function recordForm(page: Page) {
  const form = page.locator('form.actions');
  const body = await form.evaluate((element) => {
    const inputs = [
      ...(element as unknown as { elements: Iterable<{ name: string; value: string }> }).elements,
    ];
    return Object.fromEntries(inputs.filter(({ name }) => name).map(({ name, value }) => [name, value]));
  });
  return { url: page.url(), body };
}
