import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the console without a mouse', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;

  useDemoConsole((opened) => {
    ({ service, browser } = opened);
  });

  /** The name of what has the focus. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(`(({ activeElement, body }) => activeElement === body || activeElement.id === 'content' ? 'no control' :
      activeElement.getAttribute('aria-label') ?? activeElement.labels?.[0]?.textContent ?? activeElement.textContent)(document)`);

  const expectFocus = (page: Page, name: string) => expect.poll(() => focused(page)).toBe(name);

  async function openAndLeave({ page }: Visitor, names: readonly [string, ...string[]], first: string) {
    const [opener, item] = names;
    await page.getByRole('button', { name: opener, exact: true }).first().press('Enter');
    if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectFocus(page, first);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, opener);
  }

  it('begins with the first field of a dialog, and ends where it was opened', async () => {
    const holder = await browser.signIn(service.demo.holders[0].name);
    await holder.visit('/keys');
    await openAndLeave(holder, ['Create key'], 'Name *');
    // From a menu, whose items are gone when the dialog is closed.
    await openAndLeave(holder, ['Change Demo key', 'Edit'], 'Name *');
    await openAndLeave(holder, ['Change Demo key', 'Revoke'], 'Close');
    await holder.visit('/webhooks');
    await openAndLeave(holder, ['Add webhook'], 'Address *');
    holder.expectNoComplaints();
    await holder.close();

    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    await admin.visit('/admin/planets');
    await openAndLeave(admin, ['Add planet'], 'Name *');
    await admin.visit('/admin/catalogue');
    await openAndLeave(admin, ['Edit Amber Ferryman'], 'Offered');
    await openAndLeave(admin, ['Images of Amber Ferryman'], 'Close');
    // The row of a queue, from which `j` goes on.
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    await page.getByRole('row').first().waitFor();
    await page.keyboard.press('j');
    const row = await focused(page);
    await page.keyboard.press('r');
    await expectFocus(page, 'Note');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, row);
    admin.expectNoComplaints();
    await admin.close();
  });

  it('sends nothing when somebody goes on with a form after all', async () => {
    const holder = await browser.signIn(service.demo.holders[0].name);
    const { page } = holder;
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    await holder.visit('/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().press('Enter');
    await expectFocus(page, 'Address *');
    await page.keyboard.type('https://shop.example/hooks');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Keep editing');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Address *');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).waitFor({ state: 'detached' });
    expect(changes).toEqual([]);
    // What the service refuses is where somebody goes on.
    holder.expectRefusal(400);
    await page.getByLabel('Address').fill('ftp://shop.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).press('Enter');
    await expectFocus(page, 'Address *');
    expect(changes).toHaveLength(1);
    holder.expectNoComplaints();
    await holder.close();
  });

  it('goes on in the rows of a queue after a decision, and stops at one of them only', async () => {
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    await admin.visit('/');
    await page.getByText('Orders to approve').waitFor();
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Skip to content');
    // What is chosen in the palette is where Tab goes on.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await page.keyboard.type('clients');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/clients?*');
    await page.getByRole('row').first().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Pending');
    // A radio button takes no letters.
    await page.keyboard.press('j');
    const labels = await page
      .getByRole('row')
      .getByRole('link')
      .evaluateAll((links) => links.map(({ textContent }) => textContent));
    expect(await focused(page)).toContain(labels[1]);
    await page.keyboard.press('Tab');
    await expectFocus(page, `Mark ${labels[1]}`);
    await page.keyboard.press('Tab');
    await expectFocus(page, labels[1] ?? '');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expectFocus(page, 'Reject');
    // Neither the button, which works for a while, nor a row that is decided takes the focus along.
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Note');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Reject');
    await page.keyboard.press('Enter');
    await page.getByText(`${labels[1]} rejected`).waitFor();
    await expect.poll(() => focused(page)).toContain(labels[2]);
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain(labels[3]);
    await page.keyboard.press('a');
    await page.getByText(`${labels[3]} approved`).waitFor();
    await expect.poll(() => focused(page)).toContain(labels[4]);
    // Whoever follows a link goes on in the page that it leads to.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: labels[4] ?? '' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    admin.expectNoComplaints();
    await admin.close();
  });

  it('begins with the first row and stays at the top when the order of a queue changes', async () => {
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    await admin.visit('/admin/orders');
    await page.getByRole('row').first().waitFor();
    await page.getByLabel('Sorted').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Oldest first' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/orders?orderBy=createdAt*');
    await expect.poll(() => page.locator('[role=row][aria-current]').getAttribute('aria-rowindex')).toBe('1');
    expect(await page.evaluate('scrollY')).toBe(0);
    // The button goes with the filters.
    await admin.visit('/admin/orders?adminApproval=PENDING');
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
    await expectFocus(page, 'Filter');
    admin.expectNoComplaints();
    await admin.close();
  });

  it('gives the focus back to a button that has done its work', async () => {
    const holder = await browser.signIn(service.demo.holders[0].name);
    const { page } = holder;
    await holder.visit('/orders');
    const order = page.getByRole('cell').getByRole('link', { name: /^KF-/ }).first();
    const invoiceNumber = await order.innerText();
    await order.press('Enter');
    // The list has a button of the same name, by which it is sorted.
    await page.getByRole('heading', { name: invoiceNumber }).waitFor();
    const invoice = page.getByRole('button', { name: 'Invoice' });
    const [tab] = await Promise.all([holder.context.waitForEvent('page'), invoice.press('Enter')]);
    await tab.getByRole('heading', { name: 'Invoice' }).waitFor();
    await tab.close();
    await expectFocus(page, 'Invoice');
    holder.expectNoComplaints();
    await holder.close();
  });

  it('gives the focus back when a form has been saved by its button', async () => {
    const holder = await browser.signIn(service.demo.holders[0].name);
    const { page } = holder;
    await holder.visit(`/clients/${service.demo.holders[0].clientIds.ready}`);
    for (const way of ['click', 'keys', 'field'] as const) {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reference in another system').fill(way);
      const save = dialog.getByRole('button', { name: 'Save' });
      if (way === 'click') await save.click();
      else if (way === 'keys') await save.press('Enter');
      else await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await expectFocus(page, 'Edit');
    }
    holder.expectNoComplaints();
    await holder.close();
  });

  it('goes on at the heading beside a button that is gone after its work', async () => {
    const { origin, demo } = service;
    const [first] = demo.holders;
    const storefront = new Keyfront({ baseUrl: origin, ...first });
    const order = await placeDemoOrder(storefront, demo);
    const buttonOf = ({ page }: Visitor, name: string) =>
      page.getByRole('main').getByRole('button', { name, exact: true });
    const inDialog = ({ page }: Visitor, name: string | RegExp) =>
      page.getByRole('dialog').getByRole('button', { name }).press('Enter');
    const expectGone = async (visitor: Visitor, name: string, heading: string) => {
      await buttonOf(visitor, name).waitFor({ state: 'detached' });
      await expectFocus(visitor.page, heading);
    };

    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    const platform = new Keyfront({ baseUrl: origin, token: await admin.readToken() });
    await admin.visit(`/admin/orders/${order.id}`);
    await buttonOf(admin, 'Approve').press('Enter');
    await expectGone(admin, 'Approve', order.invoiceNumber);
    await platform.admin.orders.update(order.id, { paymentStatus: 'PAID', orderStatus: 'PROCESSING' });
    await buttonOf(admin, 'Send a parcel').press('Enter');
    await page.getByLabel('Carrier').fill('CTT Expresso');
    await page.keyboard.press('Enter');
    await expectGone(admin, 'Send a parcel', 'Shipments');
    await buttonOf(admin, 'Order shipped ▾').press('Enter');
    await page.getByRole('menuitem', { name: 'Delivered' }).press('Enter');
    await inDialog(admin, 'Mark as delivered');
    await expectGone(admin, 'Order shipped ▾', order.invoiceNumber);
    await buttonOf(admin, 'Refund…').press('Enter');
    await page.getByLabel('Reason').fill('It was broken.');
    await inDialog(admin, 'Continue');
    const { totalAmount } = await storefront.orders.get(order.id);
    await page.getByLabel(/^Type/).fill(totalAmount.toFixed(2));
    await page.keyboard.press('Enter');
    await expectGone(admin, 'Refund…', 'Payments');

    const refused = await placeDemoOrder(storefront, demo);
    await admin.visit(`/admin/orders/${refused.id}`);
    await buttonOf(admin, 'Reject').press('Enter');
    await inDialog(admin, 'Reject');
    await expectGone(admin, 'Reject', refused.invoiceNumber);

    const client = { clientId: first.clientIds.pending };
    await admin.visit(`/admin/clients/${client.clientId}`);
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await buttonOf(admin, 'Approve').press('Enter');
    await expectGone(admin, 'Approve', name);
    // A notification goes with its button, too.
    await buttonOf(admin, 'Reject').focus();
    await page.getByRole('button', { name: /^Undo/ }).press('Enter');
    await expectFocus(page, 'Reject');
    await buttonOf(admin, 'Approve').waitFor();
    admin.expectNoComplaints();
    await admin.close();

    const other = await placeDemoOrder(storefront, demo);
    const holder = await browser.signIn(first.name);
    await holder.visit(`/orders/${other.id}`);
    await buttonOf(holder, 'Cancel order').press('Enter');
    await inDialog(holder, 'Cancel the order');
    await expectGone(holder, 'Cancel order', other.invoiceNumber);
    holder.expectNoComplaints();
    await holder.close();
  });
});
