import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import {
  type ConsoleBrowser,
  expectAccessible,
  launchConsoleBrowser,
  type Visitor,
} from '../support/console-browser.ts';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';

describe('a sandbox in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let storefront: Keyfront;

  beforeAll(async () => {
    service = await startDemoService({ sandbox: true });
    browser = await launchConsoleBrowser(service.consoleUrl);
    const [first] = service.demo.holders;
    storefront = new Keyfront({ baseUrl: service.origin, ...first });
    holder = await browser.signIn(first.name);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => holder.expectNoComplaints());

  const buttons = () => holder.page.getByRole('region', { name: 'Sandbox' });
  const nameOfFocus = () => holder.page.evaluate<string>('document.activeElement.textContent');
  /** Presses a button of the sandbox, which keeps the focus. */
  const press = async (name: string) => {
    await buttons().getByRole('button', { name, exact: true }).click();
    await buttons().getByRole('button', { name, exact: true, disabled: true }).waitFor();
    expect(await nameOfFocus()).toBe(name);
  };

  it('takes a new client to a delivered order with its buttons', async () => {
    const { page } = holder;
    const client = await storefront.clients.create({
      firstName: 'Ada',
      lastName: 'Example',
      email: `${randomUUID()}@example.org`,
      shipping: { address1: 'Rua do Exemplo 1', city: 'Lisboa', countryCode: 'PRT', country: 'Portugal' },
    });
    await holder.visit(`/clients/${client.id}`);
    await press('Reject');
    await page.getByText('An administrator has rejected this client').waitFor();
    await press('Approve');
    await page.getByText('An administrator has rejected this client').waitFor({ state: 'detached' });
    await press('Pass identity check');
    await page.getByText('Verified on').waitFor();
    await expectAccessible(page);
    expect(await storefront.clients.get(client.id)).toMatchObject({
      adminApproval: 'VERIFIED',
      kycStatus: 'VERIFIED',
    });

    const { strains } = await storefront.strains.list({ countryCode: 'PRT', isAvailable: 'true', take: 1 });
    const order = await storefront.orders.create({
      clientId: client.id,
      items: [{ strainId: strains[0]?.id ?? '', quantity: 1 }],
    });
    await holder.visit(`/orders/${order.id}`);
    await press('Fail payment');
    await page.getByText('Payment failed').first().waitFor();
    await press('Pay');
    await page.getByText('Paid').first().waitFor();
    expect(await buttons().getByRole('button', { name: 'Ship' }).isDisabled()).toBe(true);
    await press('Approve');
    await press('Ship');
    await page.getByText(`TEST-${order.invoiceNumber}`).waitFor();
    await expectAccessible(page);
    await press('Deliver');
    await page.getByText('Delivered').first().waitFor();
    expect(await storefront.orders.get(order.id)).toMatchObject({
      orderStatus: 'DELIVERED',
      paymentStatus: 'PAID',
      shipments: [{ carrier: 'Sandbox Parcel' }],
    });
  });

  it('is marked on every page, and resets a digital key whose name is typed', async () => {
    const { page } = holder;
    const [{ primaryTokenId: tokenId }] = service.demo.holders;
    await holder.visit('/orders');
    await page.getByRole('complementary', { name: 'Sandbox' }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    const reset = dialog.getByRole('button', { name: `Reset #${tokenId}` });
    await reset.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(nameOfFocus).toBe('Sandbox');
    await page.keyboard.press('Enter');
    await dialog.getByLabel(`Type #${tokenId}`).fill(`#${tokenId + 1}`);
    expect(await reset.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type #${tokenId}`).fill(`#${tokenId}`);
    await expectAccessible(page);
    await reset.click();
    await page.getByText(`Digital key #${tokenId} is reset`).waitFor({ timeout: 60_000 });
    await page.waitForURL(/\/console\/?$/);
    await expect.poll(nameOfFocus).toMatch(/^Overview/);
    expect((await storefront.orders.list()).pageMetaDto.itemCount).toBe(0);
    const { holders } = service.demo;
    const other = new Keyfront({ baseUrl: service.origin, ...holders[1] });
    expect((await other.orders.list()).pageMetaDto.itemCount).toBeGreaterThan(0);

    const visitor = await browser.open();
    await visitor.visit('/sign-in');
    await visitor.page.getByRole('complementary', { name: 'Sandbox' }).waitFor();
    await visitor.close();
  });

  it('has no mark and no buttons anywhere else', async () => {
    const real = await startDemoService();
    const realBrowser = await launchConsoleBrowser(real.consoleUrl);
    try {
      const [first] = real.demo.holders;
      const visitor = await realBrowser.signIn(first.name);
      await visitor.visit(`/clients/${first.clientIds.ready}`);
      await visitor.page.getByRole('heading', { name: 'Contact' }).waitFor();
      expect(await visitor.page.getByText('Sandbox').count()).toBe(0);
    } finally {
      await realBrowser.close();
      await real.close();
    }
  });
});
