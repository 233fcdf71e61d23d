import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('carts in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let storefront: Keyfront;
  let clientId: string;
  let name: string;
  let countryCode: string;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [first] = service.demo.holders;
    for await (const { id } of storefront.carts.list()) await storefront.carts.emptyOfClient(id);
    clientId = first.clientIds.ready;
    const { firstName, lastName, shipping } = await storefront.clients.get(clientId);
    ({ countryCode } = shipping);
    name = `${firstName} ${lastName}`;
    holder = await browser.signIn(first.name);
  });
  afterEach(() => holder.expectNoComplaints());

  it('says that nobody has anything in a cart', async () => {
    await holder.visit('/');
    await holder.page.getByRole('navigation').getByRole('link', { name: 'Carts' }).click();
    await holder.page.getByRole('heading', { name: 'All carts are empty' }).waitFor();
    await expectAccessible(holder.page);
  });

  it('shows what is in them, what it costs and whose they are', async () => {
    const { page } = holder;
    const { strains } = await storefront.strains.list({ countryCode, isAvailable: 'true', take: 5 });
    const items = strains.map(({ id }, index) => ({ strainId: id, quantity: index + 1 }));
    const cart = await storefront.carts.add({ clientId, cartItems: items });
    await holder.visit('/carts');
    await page.getByText('1 cart', { exact: true }).waitFor();
    const row = page.getByRole('row').filter({ hasText: name });
    const [first, , , , last] = cart.cartItems.map(({ quantity, strain }) => `${quantity} × ${strain.name}`);
    await row.getByText(first ?? '').waitFor();
    const value = cart.subTotal.toLocaleString('en', { minimumFractionDigits: 2 });
    await row.getByText(value).and(page.locator(':visible')).first().waitFor();
    expect(await row.getByText(last ?? '').isVisible()).toBe(false);
    await row.getByText('2 more').click();
    await row.getByText(last ?? '').waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name }).click();
    await page.waitForURL(`**/clients/${clientId}`);
  });

  it('finds the cart of a client', async () => {
    const { page } = holder;
    await holder.visit('/carts?search=nobody-at-all');
    await page.getByRole('heading', { name: 'No cart matches' }).waitFor();
    await page.getByLabel('Search').fill(name);
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    await page.waitForURL(/\/carts\?search=/);
  });

  it('clears one only when the visitor confirms it', async () => {
    const { page } = holder;
    await holder.visit('/carts');
    const open = page.getByRole('button', { name: `Clear the cart of ${name}` });
    await open.click();
    const dialog = page.getByRole('dialog', { name: `Clear the cart of ${name}?` });
    await dialog.getByText('It holds 15 units for').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await storefront.carts.get(clientId)).totalQuantity).toBe(15);
    await open.click();
    await dialog.getByRole('button', { name: 'Clear the cart' }).click();
    await page.getByText(`The cart of ${name} is empty`).waitFor();
    await page.getByRole('heading', { name: 'All carts are empty' }).waitFor();
    // The row and its button are gone.
    await page.getByRole('heading', { name: 'Carts', exact: true }).and(page.locator(':focus')).waitFor();
    expect((await storefront.carts.get(clientId)).totalQuantity).toBe(0);
  });

  it('warns of what cannot be ordered any more', async () => {
    const { page } = holder;
    const { strains } = await storefront.strains.list({ countryCode, isAvailable: 'true', take: 2 });
    const [scarce, gone] = strains;
    await storefront.carts.add({
      clientId,
      cartItems: [
        { strainId: scarce?.id ?? '', quantity: (scarce?.stockQuantity ?? 0) + 1 },
        { strainId: gone?.id ?? '', quantity: 1 },
      ],
    });
    const admin = await browser.signIn('Administrator');
    const platform = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    await platform.admin.strains.update(gone?.id ?? '', { isActive: false });
    await admin.close();
    await holder.visit('/carts');
    await page.getByText(`Only ${scarce?.stockQuantity} in stock`).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: gone?.name ?? '' })
      .getByText('Not available')
      .waitFor();
    await expectAccessible(page);
  });
});
