import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible } from '../support/console-browser.ts';
import { filterChip, setFilter } from '../support/console-filters.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the console on a narrow screen', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
  });

  it('cuts no column and lays no words over others on a screen of 360 pixels', async () => {
    const viewport = { width: 360, height: 740 };
    const wideTables = `[...document.querySelectorAll('table')]
      .filter((table) => table.offsetWidth > table.parentElement.clientWidth).map((table) => table.innerText)`;
    const [first] = service.demo.holders;
    const own = await browser.signIn(first.name, { viewport });
    const pages = { orders: 'KF-', clients: 'Approved', 'marketplace?tab=sales': 'Cancelled' };
    for (const [path, text] of Object.entries(pages)) {
      await own.visit(`/${path}`);
      await own.page.getByRole('cell').getByText(text).first().waitFor();
      expect(await own.page.evaluate(wideTables), path).toEqual([]);
    }
    own.expectNoComplaints();
    await own.close();

    const platform = await browser.signIn('Administrator', { viewport });
    await platform.visit('/admin/delivery');
    await platform.page.getByText('United Kingdom').waitFor();
    expect(await platform.page.evaluate(wideTables)).toEqual([]);
    const token = await platform.readToken();
    const { id } = await placeDemoOrder(new Keyfront({ baseUrl: service.origin, ...first }), service.demo);
    const administrator = new Keyfront({ baseUrl: service.origin, token });
    await administrator.admin.orders.update(id, {
      adminApproval: 'VERIFIED',
      orderStatus: 'PROCESSING',
      paymentStatus: 'PAID',
    });
    await platform.visit('/admin/audit');
    await platform.page.getByText('Order changed').first().waitFor();
    const overlaps = `[...document.querySelectorAll('main [aria-expanded]')].map((button) => button.parentElement).flatMap(({ children }) =>
      [...children].flatMap((one) => [...children].filter((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return one !== other && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      }).map((other) => one.innerText + ' | ' + other.innerText)))`;
    expect(await platform.page.evaluate(overlaps)).toEqual([]);
    platform.expectNoComplaints();
    await platform.close();
  });

  it('cuts no column beside the menu on a screen of 1024 pixels', async () => {
    const viewport = { width: 1024, height: 768 };
    const cutTables = `[...document.querySelectorAll('table')]
      .filter(({ parentElement }) => parentElement.scrollWidth > parentElement.clientWidth).map((table) => table.innerText)`;
    for (const [who, pages] of [
      [service.demo.holders[0].name, { clients: 'Approved', 'marketplace?tab=transactions': 'Minted' }],
      ['Administrator', { 'admin/holders': '#1', 'admin/catalogue': 'Amber Ferryman' }],
    ] as const) {
      const visitor = await browser.signIn(who, { viewport });
      for (const [path, text] of Object.entries(pages)) {
        await visitor.visit(`/${path}`);
        await visitor.page.getByRole('cell').getByText(text).first().waitFor();
        expect(await visitor.page.evaluate(cutTables), path).toEqual([]);
      }
      visitor.expectNoComplaints();
      await visitor.close();
    }
  });

  it('breaks no e-mail address beside the menu on a screen of 1024 pixels', async () => {
    const [first] = service.demo.holders;
    const { id } = await placeDemoOrder(new Keyfront({ baseUrl: service.origin, ...first }), service.demo);
    const admin = await browser.signIn('Administrator', { viewport: { width: 1024, height: 768 } });
    await admin.visit(`/admin/orders/${id}`);
    const address = admin.page.getByText(/@example/);
    await address.waitFor();
    const lineHeight = 30;
    expect((await address.boundingBox())?.height).toBeLessThan(lineHeight);
    admin.expectNoComplaints();
    await admin.close();
  });

  it('has buttons that a finger hits', async () => {
    const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const holder = await browser.signIn(service.demo.holders[0].name, touch);
    for (const [path, name] of Object.entries({ carts: /^Clear the cart/, sales: /^Move the sale/ })) {
      await holder.visit(`/${path}`);
      const button = holder.page.getByRole('button', { name }).first();
      await button.waitFor();
      expect((await button.boundingBox())?.height, path).toBeGreaterThanOrEqual(36);
    }
    holder.expectNoComplaints();
    await holder.close();

    const admin = await browser.signIn('Administrator', touch);
    await admin.visit('/admin/clients?adminApproval=PENDING');
    const row = admin.page.getByRole('row').first();
    await row.waitFor();
    // Beside the box, and at the lower edge of the row.
    const { height } = (await row.boundingBox()) ?? { height: 0 };
    await row.tap({ position: { x: 8, y: height - 8 } });
    await row.getByRole('checkbox', { checked: true }).waitFor();
    expect(await admin.page.locator('[data-peek]').count()).toBe(0);
    admin.expectNoComplaints();
    await admin.close();
  });

  it('fits the pages and dialogs of orders, and the filters of the catalogue, into 360 pixels', async () => {
    const viewport = { width: 360, height: 740 };
    const [first] = service.demo.holders;
    const storefront = new Keyfront({ baseUrl: service.origin, ...first });
    const { id } = await placeDemoOrder(storefront, service.demo, {
      quantity: 3,
      externalReference: 'R'.repeat(100),
      metadata: { ['n'.repeat(40)]: 'v'.repeat(500) },
    });
    const own = await browser.signIn(first.name, { viewport });
    const platform = await browser.signIn('Administrator', { viewport });
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    const dialogOverflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
      document.querySelector('[role=dialog]'))`;
    const { admin } = new Keyfront({ baseUrl: service.origin, token: await platform.readToken() });
    await admin.orders.update(id, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
    const [line] = (await storefront.orders.get(id)).orderLines;
    const orderLines = [{ id: line?.id ?? '', quantity: 1 }];
    await admin.orders.refund(id, { orderLines, reason: 'W'.repeat(500), restock: true });
    const carrier = 'C'.repeat(100);
    const trackingUrl = `https://carrier.example/${'t'.repeat(2000)}`;
    await admin.orders.ship(id, { carrier, trackingNumber: 'T'.repeat(100), trackingUrl, orderLines });

    await own.visit(`/orders/${id}`);
    await own.page.getByText(carrier).waitFor();
    expect(await own.page.evaluate(overflow)).toBe(0);
    await expectAccessible(own.page);
    await own.visit('/catalogue?feelings=calm,happy,relaxed&countryCode=DEU&priceMax=20');
    await filterChip(own.page, 'Price: to 20').click();
    await own.page.getByRole('group', { name: 'Price' }).waitFor();
    expect(await own.page.evaluate(overflow)).toBe(0);
    await expectAccessible(own.page);
    own.expectNoComplaints();
    await own.close();

    await platform.visit(`/admin/orders/${id}`);
    await platform.page.getByText(carrier).waitFor();
    expect(await platform.page.evaluate(overflow)).toBe(0);
    for (const name of ['Refund…', 'Send a parcel', /^Correct the shipment/]) {
      await platform.page.getByRole('button', { name }).click();
      const dialog = platform.page.getByRole('dialog');
      await dialog.waitFor();
      expect(await platform.page.evaluate(dialogOverflow), String(name)).toBe(0);
      await expectAccessible(platform.page);
      await platform.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    platform.expectNoComplaints();
    await platform.close();
  });

  it('shows the filters of a list on request on a narrow screen', async () => {
    const [first] = service.demo.holders;
    const own = await browser.signIn(first.name, { viewport: { width: 360, height: 844 } });
    const { page } = own;
    await own.visit('/orders');
    const rows = page.getByRole('cell').getByText('KF-');
    await rows.first().waitFor();
    expect((await rows.first().boundingBox())?.y).toBeLessThan(844 / 2);
    await setFilter(page, 'Payment', 'Refunded');
    await page.waitForURL('**/orders?paymentStatus=REFUNDED');
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    const search = page.getByPlaceholder('Invoice, name or e-mail');
    expect((await search.boundingBox())?.width).toBeGreaterThan(200);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL('**/orders');
    // As it is pasted.
    await search.fill(` ${await rows.first().textContent()} `);
    await page.waitForURL('**/orders?search=KF-*');
    await expect.poll(() => rows.count()).toBe(1);
    own.expectNoComplaints();
    await own.close();
  });
});
