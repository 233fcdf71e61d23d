import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

/** What was typed into a form is still there after whatever happens before it is sent. */
describe('drafts in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
    holder = await browser.signIn(service.demo.holders[0].name);
  });
  afterEach(() => holder.expectNoComplaints());

  const dialogOf = (page: Page) => page.getByRole('dialog');
  const readStored = async (page: Page) => String(await page.evaluate('JSON.stringify(sessionStorage)'));
  /** The service ends the session of a visitor, who does not know yet. */
  const expire = async (visitor: Visitor) =>
    new Keyfront({ baseUrl: service.origin, token: await visitor.readToken() }).auth.signOut();
  const openClientForm = async ({ page, visit }: Visitor) => {
    await visit('/clients');
    await page.getByRole('button', { name: 'Add client' }).first().click();
    await dialogOf(page).getByLabel('First name').fill('Never');
    await dialogOf(page).getByLabel('Last name').fill('Lost');
  };

  it('asks before a click beside a changed form or Escape closes it, and closes an unchanged one', async () => {
    const { page } = holder;
    await openClientForm(holder);
    const form = dialogOf(page);
    for (const leave of [() => page.mouse.click(200, 450), () => page.keyboard.press('Escape')]) {
      await leave();
      await form.getByText('Discard what you have entered?').waitFor();
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Keep editing' }).click();
      expect(await form.getByLabel('First name').inputValue()).toBe('Never');
    }
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await readStored(page)).not.toContain('Never');

    await page.getByRole('button', { name: 'Add client' }).first().click();
    expect(await form.getByLabel('First name').inputValue()).toBe('');
    await page.mouse.click(200, 450);
    await form.waitFor({ state: 'detached' });

    // A dialog in the middle of the page, of a form that is not kept.
    await holder.visit(`/clients/${service.demo.holders[0].clientIds.ready}`);
    await page.getByRole('button', { name: 'Show medical record' }).click();
    await form.getByLabel('Reason').fill('A question about an allergy');
    await page.mouse.click(20, 450);
    await form.getByText('Discard what you have entered?').waitFor();
    // Health data, and what is said about it, is never written down.
    expect(await readStored(page)).not.toContain('allergy');
    await form.getByRole('button', { name: 'Discard' }).click();
  });

  it('fills in a form again after a reload: texts, choices, boxes and tags, until it is sent', async () => {
    const { page } = holder;
    await openClientForm(holder);
    const form = dialogOf(page);
    await form.getByLabel('Country').selectOption('Portugal');
    await form.getByLabel('Agrees to receive marketing').check();
    await page.reload();
    await form.getByText('What you had entered is here again').waitFor();
    expect(await form.getByLabel('First name').inputValue()).toBe('Never');
    expect(await form.getByLabel('Country').inputValue()).toBe('PRT');
    expect(await form.getByLabel('Agrees to receive marketing').isChecked()).toBe(true);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Start over' }).click();
    expect(await form.getByLabel('First name').inputValue()).toBe('');
    await form.getByRole('button', { name: 'Cancel' }).click();

    await holder.visit('/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    await form.getByLabel('Address').fill('http://127.0.0.1:9/kept');
    await form.getByLabel('Events').fill('client.*');
    await form.getByLabel('Events').press('Enter');
    await page.reload();
    await form.getByText('client.*', { exact: true }).waitFor();
    expect(await form.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9/kept');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'http://127.0.0.1:9/kept' }).click();
    await page.getByText('order.*, payment.*, client.*').waitFor();
    await page.reload();
    await holder.visit('/webhooks');
    await page.getByRole('link', { name: 'http://127.0.0.1:9/kept' }).waitFor();
    expect(await form.count()).toBe(0);

    await holder.visit('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await form.getByLabel('Name').fill('Half a key');
    await form.getByLabel('Bound only').check();
    await page.reload();
    await form.getByText('What you had entered is here again').waitFor();
    expect(await form.getByLabel('Bound only').isChecked()).toBe(true);
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await readStored(page)).not.toContain('Half a key');
  });

  it('keeps only what was changed of something that exists, beside its latest values', async () => {
    const { page } = holder;
    const [{ apiKey, secretKey, clientIds }] = service.demo.holders;
    const storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    await holder.visit(`/clients/${clientIds.ready}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = dialogOf(page);
    await form.getByLabel('City').fill('Porto');
    await storefront.clients.update(clientIds.ready, { externalReference: 'changed meanwhile' });
    await page.reload();
    await form.getByText('What you had entered is here again').waitFor();
    expect(await form.getByLabel('City').inputValue()).toBe('Porto');
    expect(await form.getByLabel('Reference in another system').inputValue()).toBe('changed meanwhile');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The client is changed').waitFor();
    expect(await storefront.clients.get(clientIds.ready)).toMatchObject({
      shipping: { city: 'Porto' },
      externalReference: 'changed meanwhile',
    });
  });

  it('has the form open and filled in after a session that ended while it was sent', async () => {
    const visitor = await browser.signIn(service.demo.holders[0].name);
    const { page } = visitor;
    await openClientForm(visitor);
    const form = dialogOf(page);
    await form.getByLabel('E-mail').fill('never.lost@example.org');
    // No connection first: the form stays as it is.
    await visitor.context.setOffline(true);
    await form.getByRole('button', { name: 'Add client' }).click();
    await form.getByText('The client was not saved').waitFor();
    // What the page reads again once it is connected would tell it of the end before the form is sent.
    const isRead = (url: URL) => url.pathname.startsWith('/api/');
    await page.route(isRead, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await visitor.context.setOffline(false);
    await expire(visitor);
    await form.getByRole('button', { name: 'Add client' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.unroute(isRead);
    await visitor.signInAs(service.demo.holders[0].name);
    await page.waitForURL('**/clients');
    expect(await form.getByLabel('First name').inputValue()).toBe('Never');
    await form.getByRole('button', { name: 'Add client' }).click();
    await page.getByRole('heading', { name: 'Never Lost' }).waitFor();
    expect(await readStored(page)).not.toContain('never.lost');
    await visitor.close();
  });

  it('shows a draft to nobody else, and forgets all of them at the sign-out, in every tab', async () => {
    const [first, second] = service.demo.holders;
    const visitor = await browser.signIn(first.name);
    const { page } = visitor;
    await openClientForm(visitor);
    await expire(visitor);
    await visitor.visit('/clients');
    await page.getByText('Your session has ended').waitFor();
    expect(await readStored(page)).toContain('Never');
    await visitor.signInAs(second.name);
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    expect(await readStored(page)).not.toContain('Never');

    await openClientForm(visitor);
    const otherTab = await visitor.context.newPage();
    await otherTab.goto(`${service.origin}/console/clients`);
    await otherTab.getByRole('button', { name: /^Account/ }).click();
    await otherTab.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Sign in', { exact: true }).waitFor();
    await expect.poll(() => readStored(page)).not.toContain('Never');
    await visitor.close();
  });

  it('keeps the forms of administrators too', async () => {
    const admin = await browser.signIn('Administrator');
    const { page } = admin;
    const form = dialogOf(page);
    await admin.visit('/admin/planets');
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    await form.getByLabel('Description').fill('Half a description');
    await page.reload();
    await form.getByText('What you had entered is here again').waitFor();
    expect(await form.getByLabel('Description').inputValue()).toBe('Half a description');
    await form.getByRole('button', { name: 'Cancel' }).click();

    await admin.visit('/admin/catalogue');
    await page.getByRole('button', { name: 'Add strain' }).click();
    await form.getByLabel('Name').fill('Half a strain');
    const planet = await form.getByLabel('Planet').locator('option').nth(1).getAttribute('value');
    await form.getByLabel('Planet').selectOption(planet);
    await page.reload();
    await form.getByText('What you had entered is here again').waitFor();
    await expect.poll(() => form.getByLabel('Planet').inputValue()).toBe(planet);
    await form.getByRole('button', { name: 'Cancel' }).click();
    admin.expectNoComplaints();
    await admin.close();
  });
});
