import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the commands of the palette', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let storefront: Keyfront;

  useDemoConsole((opened) => {
    ({ service, browser, storefront } = opened);
  });

  async function type({ page }: Visitor, text: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).fill(text);
  }

  it('keep what is typed while they are loaded, and no other part of the page gets it', async () => {
    const { id } = await placeDemoOrder(storefront, service.demo);
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    const { admin: platform } = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    await page.getByRole('row').first().waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/command-palette-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    // On the page below, `a` approves the order at the top.
    await page.keyboard.type('aud');
    release();
    const field = page.getByRole('combobox', { name: /^Search pages/ });
    await expect.poll(() => field.inputValue()).toBe('aud');
    await page.keyboard.type('it');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/admin/audit');
    expect((await platform.orders.get(id)).adminApproval).toBe('PENDING');
    admin.expectNoComplaints();
    await admin.close();
  });

  it('open the form of a page, once', async () => {
    const holder = await browser.signIn(service.demo.holders[0].name);
    const { page } = holder;
    await type(holder, 'create k');
    await page.getByRole('option', { name: 'Create key' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/keys');
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Demo key' }).first().waitFor();
    expect(await form.count()).toBe(0);
    // Nothing of administrators.
    const { invoiceNumber } = await placeDemoOrder(storefront, service.demo);
    await type(holder, `refund ${invoiceNumber}`);
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('combobox').fill(`open order ${invoiceNumber}`);
    await page.getByRole('option', { name: invoiceNumber }).click();
    await page.getByRole('heading', { name: invoiceNumber }).waitFor();
    holder.expectNoComplaints();
    await holder.close();
  });

  it('open the form of the page that they lead to, not of the one that is left', async () => {
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    await admin.visit('/admin/catalogue');
    await page.getByRole('button', { name: 'Add strain' }).waitFor();
    for (const [command, title] of [
      ['Add planet', 'Add a planet'],
      ['Add strain', 'Add a strain'],
    ] as const) {
      await type(admin, command);
      await page.getByRole('option', { name: command }).click();
      const form = page.getByRole('dialog', { name: title });
      await form.getByLabel('Name').waitFor();
      await form.getByRole('button', { name: 'Cancel' }).click();
      await form.waitFor({ state: 'detached' });
    }
    admin.expectNoComplaints();
    await admin.close();
  });

  it('open the client whose whole name is typed, before their orders', async () => {
    await placeDemoOrder(storefront, service.demo);
    const clientId = service.demo.holders[0].clientIds.ready;
    const { firstName, lastName } = await storefront.clients.get(clientId);
    const name = `${firstName} ${lastName}`;
    for (const [who, path] of [
      [service.demo.holders[0].name, 'clients'],
      ['Administrator', 'admin/clients'],
    ] as const) {
      const visitor = await browser.signIn(who);
      await type(visitor, name.toLowerCase());
      const first = visitor.page.getByRole('listbox', { name: 'Results' }).getByRole('option').first();
      await expect.poll(() => first.textContent()).toContain(name);
      await expect.poll(() => first.getAttribute('aria-selected')).toBe('true');
      await visitor.page.keyboard.press('Enter');
      await visitor.page.waitForURL(`**/console/${path}/${clientId}`);
      visitor.expectNoComplaints();
      await visitor.close();
    }
  });

  it('approve and refund an order after a question, by the keyboard alone', async () => {
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    const { admin: platform } = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    const { id, invoiceNumber } = await placeDemoOrder(storefront, service.demo);
    await type(admin, `approve ${invoiceNumber}`);
    await page.getByRole('option', { name: `Approve ${invoiceNumber}` }).waitFor();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `Approve ${invoiceNumber}?` });
    await question.waitFor();
    await page.waitForURL(`**/admin/orders/${id}`);
    await expectAccessible(page);
    expect((await platform.orders.get(id)).adminApproval).toBe('PENDING');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Approve');
    await page.keyboard.press('Enter');
    await page.getByText(`${invoiceNumber} approved`).waitFor();
    expect((await platform.orders.get(id)).adminApproval).toBe('VERIFIED');

    // What the service would refuse is not offered.
    await type(admin, `refund ${invoiceNumber}`);
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await platform.orders.update(id, { paymentStatus: 'PAID' });
    await type(admin, invoiceNumber);
    await page.getByRole('option', { name: `Refund ${invoiceNumber}` }).click();
    const refund = page.getByRole('dialog', { name: `Refund ${invoiceNumber}` });
    await refund.getByLabel('Reason').fill('Sent twice');
    // The palette does not take away what is being filled in.
    await page.keyboard.press('Control+k');
    expect(await refund.getByLabel('Reason').inputValue()).toBe('Sent twice');
    await page.keyboard.press('Escape');
    await refund.getByText('Discard what you have entered?').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await refund.getByRole('button', { name: 'Cancel' }).press('Enter');
    await refund.waitFor({ state: 'detached' });
    expect((await platform.orders.get(id)).refundedAmount).toBe(0);
    admin.expectNoComplaints();
    await admin.close();
  });
});
