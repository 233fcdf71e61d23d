import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
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
    page.evaluate(`(({ activeElement }) =>
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
    holder.expectNoComplaints();
    await holder.close();
  });
});
