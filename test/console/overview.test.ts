import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the overviews of the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let admin: Visitor;
  let storefront: Keyfront;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [first] = service.demo.holders;
    holder = await browser.signIn(first.name);
    admin = await browser.signIn('Administrator');
  });
  afterEach(() => {
    holder.expectNoComplaints();
    admin.expectNoComplaints();
  });

  const steps = (page: Page) => page.getByRole('region', { name: /^Getting started/ });
  const switchTo = async (page: Page, tokenId: number | undefined) => {
    await page.getByRole('button', { name: /^Primary digital key/ }).click();
    await page.getByRole('menuitem', { name: `#${tokenId}` }).click();
    await page.getByText(`Digital key ${tokenId} is now the primary one`).waitFor();
  };

  it('tells paid from placed revenue, and what is complete from what is not', async () => {
    const { page } = holder;
    await holder.visit('/');
    const panel = page.getByRole('region', { name: 'Revenue and orders' });
    const chart = panel.getByRole('slider', { name: 'Revenue by time' });
    await chart.waitFor();
    for (const name of ['Placed revenue', 'Paid revenue', 'Not over yet']) {
      await panel.getByText(name, { exact: true }).waitFor();
    }
    await panel.getByText('The last day is not over yet').waitFor();
    const { analytics } = await storefront.dashboard.analytics();
    const today = analytics.at(-1);
    const orders = `${today?.orders} order${today?.orders === 1 ? '' : 's'}`;
    const said = () => chart.getAttribute('aria-valuetext');
    expect(await said()).toMatch(new RegExp(`so far: .+ placed, .+ of it paid, ${orders};`));
    expect(await panel.locator('[data-unfinished]').count()).toBe(2);
    await chart.press('ArrowLeft');
    expect(await said()).not.toContain('so far');
    await panel.getByText('of it paid').waitFor();
    // The dates below the chart are as far apart as each other.
    const days = (await chart.locator('text').allTextContents())
      .filter((text) => /^\w{3} \d|^\d+ \w{3}/.test(text))
      .map((text) => Date.parse(`${text} 2026 UTC`) / 86_400_000);
    const distances = days.slice(1).map((day, index) => (day - (days[index] ?? 0) + 365) % 365);
    expect(days.length).toBeGreaterThan(4);
    expect(new Set(distances).size).toBe(1);
    await page.getByText('12 months').click();
    await panel.getByText('The last month is not over yet').waitFor();
    await expectAccessible(page);
  });

  it('lists the first steps of a digital key until they are done or dismissed', async () => {
    const { page } = holder;
    const { nfts } = await storefront.holder.nfts();
    const primary = nfts.find(({ isPrimary }) => isPrimary)?.tokenId;
    const other = nfts.find(({ isPrimary }) => !isPrimary)?.tokenId;
    await holder.visit('/');
    await page.getByRole('heading', { name: 'Getting started: 3 of 4 done' }).waitFor();
    expect((await holder.readLayoutShift()).score).toBeLessThan(0.05);
    await steps(page).getByRole('link', { name: 'Create an API key (done)' }).waitFor();
    await steps(page).getByRole('link', { name: 'Place the first order' }).click();
    await page.waitForURL('**/explorer?operation=createOrder');
    await page.goBack();
    await steps(page).getByRole('link', { name: 'Add a webhook' }).click();
    await page.waitForURL('**/webhooks');

    await holder.visit('/');
    await steps(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
    await steps(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.reload();
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor();
    expect(await steps(page).count()).toBe(0);
    expect((await holder.readLayoutShift()).score).toBeLessThan(0.05);

    // Another digital key has first steps of its own.
    await switchTo(page, other);
    await steps(page).waitFor();
    await expectAccessible(page);
    const session = new Keyfront({ baseUrl: service.origin, token: await holder.readToken() });
    const { id } = await session.webhooks.create({ url: 'http://127.0.0.1:9/first', eventTypes: ['*'] });
    await page.reload();
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor();
    expect(await steps(page).count()).toBe(0);
    // What was done once is not asked for again.
    await session.webhooks.delete(id);
    await page.reload();
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor();
    expect(await steps(page).count()).toBe(0);
    await switchTo(page, primary);
    expect(await steps(page).count()).toBe(0);
  });

  it('tells an administrator what waits, and for how long', async () => {
    const { page } = admin;
    const platform = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    const tile = (name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) });
    /** Each is counted by a request of its own. */
    const shown = async (name: string) => {
      const read = async () => (await tile(name).innerText()).match(/^[\d,]+$/m)?.[0].replace(',', '') ?? '';
      await expect.poll(read).not.toBe('');
      return Number(await read());
    };
    const open = async () => {
      await admin.visit('/');
      await page.waitForURL('**/console/admin');
    };
    const waiting = { status: 'PENDING', adminApproval: 'PENDING' } as const;
    const { pageMetaDto: before, orders } = await platform.admin.orders.list({
      ...waiting,
      orderBy: 'asc',
      take: 1,
    });
    await open();
    expect(await shown('Orders to approve')).toBe(before.itemCount);
    const age = Math.floor((Date.now() - Date.parse(orders[0]?.createdAt ?? '')) / 86_400_000);
    await tile('Orders to approve')
      .getByText(age === 1 ? 'for 1 day' : `for ${age} days`)
      .waitFor();
    await expectAccessible(page);

    // A new order waits, and one that is cancelled waits for nothing but its money.
    const refunds = await shown('Refunds due');
    const order = await placeDemoOrder(storefront, service.demo);
    await open();
    expect(await shown('Orders to approve')).toBe(before.itemCount + 1);
    await storefront.orders.cancel(order.id);
    await platform.admin.orders.update(order.id, { paymentStatus: 'PAID' });
    await open();
    expect(await shown('Orders to approve')).toBe(before.itemCount);
    expect(await shown('Refunds due')).toBe(refunds + 1);

    // One that is paid is begun, and then sent.
    const begun = await shown('Orders to begin');
    const sent = await shown('Orders to ship');
    const { id } = await placeDemoOrder(storefront, service.demo);
    await platform.admin.orders.update(id, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
    await open();
    expect(await shown('Orders to begin')).toBe(begun + 1);
    await platform.admin.orders.update(id, { orderStatus: 'PROCESSING' });
    await open();
    expect([await shown('Orders to begin'), await shown('Orders to ship')]).toEqual([begun, sent + 1]);

    // Each leads to a list of as many.
    for (const [name, path, noun] of [
      ['Orders to approve', '/admin/orders', 'order'],
      ['Clients to approve', '/admin/clients', 'client'],
      ['Identity checks', '/admin/clients', 'client'],
      ['Refunds due', '/admin/refunds', 'order'],
      ['Orders to begin', '/admin/orders', 'order'],
      ['Orders to ship', '/admin/orders', 'order'],
    ] as const) {
      await open();
      const count = await shown(name);
      await tile(name).click();
      await page.waitForURL((url) => url.pathname === `/console${path}`);
      await page
        .getByText(`${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`, { exact: true })
        .waitFor();
    }
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/console/admin');
  });
});
