import type { Page, Request } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront, type Order } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
import { filterChip } from '../support/console-filters.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

/** Things that go wrong at the worst moment, and must do no harm. */
describe('accidents in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let admin: Visitor;
  let holder: Visitor;
  let storefront: Keyfront;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [{ name }] = service.demo.holders;
    admin = await browser.signIn('Administrator');
    holder = await browser.signIn(name);
  });
  afterEach(() => {
    admin.expectNoComplaints();
    holder.expectNoComplaints();
  });

  const placeOrder = () => placeDemoOrder(storefront, service.demo);
  const approvalOf = async ({ id }: Order) => (await storefront.orders.get(id)).adminApproval;
  const rowOf = (page: Page, { invoiceNumber }: Order) =>
    page.getByRole('row').filter({ hasText: invoiceNumber });

  it('decides about the order that was chosen, although another one arrives meanwhile', async () => {
    const { page } = admin;
    const chosen = await placeOrder();
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    await rowOf(page, chosen).and(page.locator('[aria-current]')).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: `Reject ${chosen.invoiceNumber}?` });
    await dialog.getByText('cancelled for good').waitFor();
    const second = await placeOrder();
    await rowOf(page, second).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(`${chosen.invoiceNumber} rejected`).waitFor();
    expect([await approvalOf(chosen), await approvalOf(second)]).toEqual(['REJECTED', 'PENDING']);

    await rowOf(page, second).getByRole('checkbox').focus();
    await rowOf(page, second).click({ position: { x: 2, y: 2 } });
    const third = await placeOrder();
    await rowOf(page, third).waitFor();
    await page.keyboard.press('a');
    await page.getByText(`${second.invoiceNumber} approved`).waitFor();
    expect([await approvalOf(second), await approvalOf(third)]).toEqual(['VERIFIED', 'PENDING']);
  });

  it('says who reads the note of a rejection, and keeps that of a client among administrators', async () => {
    const { pending } = service.demo.holders[0].clientIds;
    const { email } = await storefront.clients.get(pending);
    const { page } = admin;
    await admin.visit(`/admin/clients?search=${encodeURIComponent(email)}`);
    await page.getByText(email).waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Only administrators read it').waitFor();
    await dialog.getByLabel('Note').fill('The document photo cannot be read.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Note: The document photo cannot be read.').waitFor();
    await holder.visit(`/clients/${pending}`);
    await holder.page.getByText('An administrator has rejected this client').waitFor();
    expect(await holder.page.getByText('document photo').count()).toBe(0);

    await admin.visit('/admin/orders?search=no-such-order');
    await page.getByText('No order matches').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await page.getByText('KF-').first().waitFor();
    expect(page.url()).toBe(`${service.origin}/console/admin/orders`);
    // What was searched among some is searched among all.
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING&search=no-such-order');
    await page.getByText('No order matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.waitForURL('**/admin/orders?search=no-such-order');
    expect(await page.getByLabel('Search').inputValue()).toBe('no-such-order');
  });

  it('leaves the queue alone while a menu or a dialog has the keys', async () => {
    const { page } = admin;
    const order = await placeOrder();
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    const row = rowOf(page, order).and(page.locator('[aria-current]'));
    await row.waitFor();
    await page.keyboard.press('Space');
    for (const menu of [
      page.getByRole('button', { name: /^Account/ }),
      page.getByRole('region', { name: order.invoiceNumber }).getByRole('button', { name: /^Payment/ }),
    ]) {
      await menu.click();
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('r');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('x');
    await page.getByText('1 marked').waitFor();
    expect(changes).toEqual([]);
    expect(await approvalOf(order)).toBe('PENDING');
  });

  it('shows nothing of one holder to the next one in the same browser, in any tab', async () => {
    const [first, second] = service.demo.holders;
    const other = new Keyfront({ baseUrl: service.origin, ...second });
    const namesOf = async (client: Keyfront) =>
      (await client.clients.list({ take: 5 })).clients.map(({ email }) => email);
    const [own = ''] = await namesOf(storefront);
    const [others = ''] = await namesOf(other);
    const visitor = await browser.signIn(first.name);
    const { page } = visitor;
    const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const idsOfUpdates = () =>
      page.locator('summary').filter({ hasText: 'client.updated' }).locator('span').allTextContents();
    /** Changes a client until the page shows an event of it that was not there before. */
    const watchUpdates = async (client: Keyfront, clientId: string) => {
      await goTo('Events');
      await page.getByText('evt_').first().waitFor();
      const earlier = new Set(await idsOfUpdates());
      await expect
        .poll(async () => {
          await client.clients.update(clientId, { externalReference: crypto.randomUUID() });
          return (await idsOfUpdates()).some((id) => !earlier.has(id));
        })
        .toBe(true);
      return await idsOfUpdates();
    };
    const seenByFirst = await watchUpdates(storefront, first.clientIds.ready);
    await goTo('Clients');
    await page.getByText(own).waitFor();
    const secondTab = await visitor.context.newPage();
    await secondTab.goto(page.url());
    await secondTab.getByText(own).waitFor();

    // The service ends the session, and the page learns of it from its next request.
    const token: string = await page.evaluate('JSON.parse(localStorage["keyfront.session"]).token');
    await new Keyfront({ baseUrl: service.origin, token }).auth.signOut();
    visitor.expectRefusal(401);
    await goTo('Orders');
    await page.getByText('Your session has ended').waitFor();
    await secondTab.getByText('Sign in', { exact: true }).waitFor();
    await visitor.signInAs(second.name);
    await goTo('Clients');
    await page.getByText(others).waitFor();
    expect(await page.getByText(own).count()).toBe(0);
    await secondTab.getByText(others).waitFor();
    expect(await secondTab.getByText(own).count()).toBe(0);
    const seenBySecond = await watchUpdates(other, second.clientIds.ready);
    expect(seenBySecond.filter((id) => seenByFirst.includes(id))).toEqual([]);

    // In one step, as the other tab sees it when the browser tells it of both changes at once.
    const session = JSON.stringify(await holder.page.evaluate('localStorage["keyfront.session"]'));
    await page.evaluate(`localStorage.setItem('keyfront.session', ${session})`);
    await secondTab.getByText(own).waitFor();
    expect(await secondTab.getByText(others).count()).toBe(0);
    visitor.expectNoComplaints();
    await visitor.close();
  });

  it('keeps the secret of a new key on the screen until it is saved', async () => {
    const { page } = holder;
    await holder.visit('/');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Easily lost');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the secret key now' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.evaluate('history.back()');
    await dialog.getByText('This page stays open').waitFor();
    expect(await page.getByRole('dialog', { name: 'Commands' }).count()).toBe(0);
    expect(page.url()).toMatch(/\/console\/keys$/);
    // The browser asks before it closes or loads the page.
    expect(await page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)).toBe(true);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.waitForURL('**/webhooks');
  });

  it('takes a double click for one, and adds nothing twice', async () => {
    const { page } = holder;
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(new URL(request.url()).pathname);
    });
    await holder.visit('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name').fill('Clicked twice');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('cell', { name: 'Clicked twice' }).first().waitFor();

    await holder.visit('/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:9/twice');
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).dblclick();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'http://127.0.0.1:9/twice' }).click();
    await page.getByRole('button', { name: 'Send a test' }).dblclick();
    await page.getByRole('cell', { name: 'webhook.test' }).first().waitFor();
    expect(changes).toMatchObject([
      '/api/v1/keys',
      '/api/v1/webhooks',
      expect.stringMatching(/^\/api\/v1\/webhooks\/[^/]+\/test$/),
    ]);
  });

  it('leads back to the list with its filters, and to the same place in it', async () => {
    const { page } = holder;
    const list = `${service.origin}/console/orders?paymentStatus=PAID`;
    await holder.visit('/orders?paymentStatus=PAID');
    const row = page.locator('tbody a').nth(20);
    const invoice = await row.innerText();
    // A click right after a jump comes before the browser has told the page that it was scrolled.
    await row.hover();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await row.click();
    await page.getByRole('heading', { name: invoice }).waitFor();
    // A reload keeps the entry of the history.
    await page.reload();
    const back = page.getByRole('main').getByRole('link', { name: 'Orders', exact: true });
    expect(await back.getAttribute('href')).toBe('/console/orders?paymentStatus=PAID');
    await back.click();
    await page.waitForURL(list);
    await page.getByRole('link', { name: invoice }).and(page.locator(':visible')).waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);

    // A row of another page has no list to go back to.
    await holder.visit('/');
    await page.locator('tbody a').first().click();
    await back.click();
    await page.waitForURL(`${service.origin}/console/orders`);
  });

  it('keeps what it has loaded on the screen while the connection is lost', async () => {
    const visitor = await browser.signIn(service.demo.holders[0].name);
    const { page, context } = visitor;
    const { id, invoiceNumber } = await placeOrder();
    await visitor.visit(`/orders/${id}`);
    await page.getByText('Subtotal').waitFor();
    await context.setOffline(true);
    const isReload = (request: Request) => request.method() === 'GET' && request.url().includes(id);
    const reloaded = page.waitForEvent('requestfailed', isReload);
    await page.getByRole('button', { name: 'Cancel order' }).click();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('The order was not cancelled').waitFor();
    await reloaded;
    await page.getByRole('button', { name: 'Cancel order' }).waitFor();
    await page.getByRole('heading', { name: invoiceNumber }).waitFor();
    expect(await page.getByText('could not be loaded').count()).toBe(0);
    await context.setOffline(false);

    await visitor.visit(`/clients/${service.demo.holders[0].clientIds.ready}`);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('is inactive and cannot order').waitFor();
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByRole('button', { name: 'Deactivate' }).and(page.locator(':enabled')).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('The client was not changed').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    await visitor.close();
  });

  it('leads an administrator from a page of holders to the overview', async () => {
    const visitor = await browser.signIn(service.demo.holders[0].name);
    const { page } = visitor;
    await visitor.visit('/carts');
    await page.getByRole('heading', { name: 'Carts', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.signInAs('Administrator');
    await page.waitForURL('**/console/admin');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    visitor.expectNoComplaints();
    await visitor.close();
  });

  it('leaves out what is no filter in the URL of a page', async () => {
    const { page } = holder;
    const bad =
      'status=PAID&startDate=2026-99-99&orderBy=__proto__&clientId=%3Cscript%3E&cursor=abc&utm_source=mail';
    await holder.visit(`/orders?${bad}&paymentStatus=PAID`);
    await filterChip(page, 'Payment: Paid').waitFor();
    expect(page.url()).toBe(`${service.origin}/console/orders?paymentStatus=PAID`);
    await holder.visit(`/orders?${bad}`);
    await page.getByRole('cell').first().waitFor();
    expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
    await holder.visit('/marketplace?tab=zzz');
    await page.getByRole('tab', { name: 'For sale', selected: true }).waitFor();
    for (const from of ['javascript:alert(1)', '//evil.example']) {
      await holder.visit(`/sign-in?from=${encodeURIComponent(from)}`);
      await page.waitForURL(`${service.origin}/console/`);
    }
  });

  it('says what is wrong with an entry of a list, and removes an address that was emptied', async () => {
    const { page } = holder;
    await holder.visit('/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await form.getByLabel('Events').fill('nonsense');
    await form.getByLabel('Events').press('Enter');
    // Closes the list of suggestions.
    await form.getByLabel('Events').press('Tab');
    holder.expectRefusal(400);
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText(/^Entry 3 must/).waitFor();

    const { id } = await storefront.clients.create({
      firstName: 'Nowhere',
      lastName: 'Home',
      email: 'nowhere@example.org',
      shipping: { address1: 'Rua Nova 1', city: 'Lisboa', countryCode: 'PRT', landmark: 'By the sea' },
    });
    await holder.visit(`/clients/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    for (const label of ['Street', 'City']) await form.getByLabel(label).fill('');
    await form.getByLabel('Country').selectOption('');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The client is changed').waitFor();
    expect(await storefront.clients.get(id)).toMatchObject({ shipping: { city: '' }, shippings: [] });
  });

  it('says that there is no connection, takes back what was not done, and keeps its frame', async () => {
    const visitor = await browser.signIn(service.demo.holders[0].name);
    const { page, context } = visitor;
    await page.getByRole('link', { name: 'Sales' }).click();
    const leads = page.getByRole('region', { name: 'Leads' });
    const card = leads.getByRole('button', { name: /^Move the sale of/ }).first();
    const name = String(await card.getAttribute('aria-label'));
    await context.setOffline(true);
    await card.press('ArrowRight');
    await page.getByText('The sale was not moved').waitFor();
    await leads.getByRole('button', { name }).waitFor();
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This page could still not be loaded').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('in stock').first().waitFor();
    await visitor.close();
  });

  it('lets the focus follow a sale from column to column', async () => {
    const { page } = holder;
    await holder.visit('/sales');
    const column = (name: string) => page.getByRole('region', { name });
    const card = column('Leads')
      .getByRole('button', { name: /^Move the sale of/ })
      .first();
    const name = String(await card.getAttribute('aria-label'));
    const focused = (stage: string) =>
      column(stage).getByRole('button', { name }).and(page.locator(':focus')).waitFor();
    await card.press('ArrowRight');
    await focused('Ongoing');
    await page.keyboard.press('ArrowRight');
    await focused('Closed');
    await page.keyboard.press('ArrowLeft');
    await focused('Ongoing');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move to Leads' }).press('Enter');
    await focused('Leads');
  });

  it('keeps its frame at an address that no page has', async () => {
    for (const path of ['/nothing/here', '/admin/nothing']) {
      await admin.visit(path);
      await admin.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await admin.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    }
  });
});
