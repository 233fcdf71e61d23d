import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { filterChip, openFilter, setFilter } from '../support/console-filters.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the filters of a list in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
    holder = await browser.signIn(service.demo.holders[0].name);
  });
  afterEach(() => holder.expectNoComplaints());

  const searchOf = ({ page }: Visitor) => new URL(page.url()).search;

  it('are chips that are set, changed and removed by the keyboard alone', async () => {
    const { page } = holder;
    await holder.visit('/orders');
    await page.getByRole('cell').getByText('KF-').first().waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.keyboard.press('Enter');
    const popover = page.getByRole('dialog', { name: 'Filter' });
    await popover.getByRole('button', { name: 'Order', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await popover.getByRole('button', { name: 'Pending' }).and(page.locator(':focus')).waitFor();
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/orders?paymentStatus=PAID');
    const chip = filterChip(page, 'Payment: Paid');
    await chip.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Payment: Paid' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders?paymentStatus=PROCESSING');
    await page.getByRole('button', { name: 'Remove the filter Payment' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orders');
    // The chip is gone, and with it what had the focus.
    await page.getByRole('button', { name: 'Filter', exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('are taken back one by one, and what is typed is one of them', async () => {
    const { page } = holder;
    await holder.visit('/clients');
    await page.goto(`${service.origin}/console/orders`);
    await setFilter(page, 'Order', 'Shipped');
    await setFilter(page, 'Payment', 'Paid');
    const search = page.getByLabel('Search');
    await search.pressSequentially('KF-', { delay: 300 });
    await page.waitForURL(/search=KF-/);
    await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click();
    await page.waitForURL(/orderBy=/);
    await page.goBack();
    await expect.poll(() => searchOf(holder)).toBe('?search=KF-&status=SHIPPED&paymentStatus=PAID');
    await page.goBack();
    await expect.poll(() => searchOf(holder)).toBe('?status=SHIPPED&paymentStatus=PAID');
    expect(await search.inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => searchOf(holder)).toBe('?status=SHIPPED');
    await filterChip(page, 'Order: Shipped').waitFor();
    await page.goBack();
    await expect.poll(() => searchOf(holder)).toBe('');
    await page.goBack();
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
  });

  it('sort by the headers of the columns', async () => {
    const { page } = holder;
    await holder.visit('/orders');
    const header = (name: string) => page.getByRole('columnheader', { name });
    const invoices = () => page.locator('tbody a').allInnerTexts();
    await page.getByRole('cell').getByText('KF-').first().waitFor();
    expect(await header('Placed').getAttribute('aria-sort')).toBe('descending');
    expect(await header('Total').getAttribute('aria-sort')).toBe('none');
    expect(await header('State').getAttribute('aria-sort')).toBeNull();
    await header('Invoice').getByRole('button').press('Enter');
    await page.waitForURL(/orderBy=invoiceNumber%3Aasc/);
    const areSorted = async () =>
      (await invoices()).every((invoice, at, all) => invoice >= (all[at - 1] ?? ''));
    await expect.poll(areSorted).toBe(true);
    expect(await header('Invoice').getAttribute('aria-sort')).toBe('ascending');
    await header('Invoice').getByRole('button').press('Enter');
    await page.waitForURL(/orderBy=invoiceNumber%3Adesc/);
    expect(await header('Invoice').getAttribute('aria-sort')).toBe('descending');
    await holder.visit('/clients');
    await header('Added').getByRole('button').click();
    await page.waitForURL('**/clients?orderBy=asc');
    expect(await header('Added').getAttribute('aria-sort')).toBe('ascending');
  });

  it('take days as they are typed, whole ones only, or the last few', async () => {
    const { page } = holder;
    await holder.visit('/orders');
    const popover = await openFilter(page, 'Placed');
    const from = popover.getByLabel('From');
    const to = popover.getByLabel('To');
    await from.and(page.locator(':focus')).waitFor();
    // As somebody types: longer than the moment after which a text is applied.
    await page.keyboard.type('11112026', { delay: 300 });
    await expect.poll(() => searchOf(holder)).toBe('?startDate=2026-11-11');
    expect(await from.inputValue()).toBe('2026-11-11');
    await to.focus();
    await page.keyboard.type('12310026', { delay: 20 });
    await from.focus();
    await popover.getByText('Enter the whole date').waitFor();
    expect(await to.inputValue()).toBe('0026-12-31');
    expect(searchOf(holder)).toBe('?startDate=2026-11-11');
    await to.focus();
    await page.keyboard.type('12312026');
    await page.keyboard.press('Enter');
    await expect.poll(() => searchOf(holder)).toBe('?startDate=2026-11-11&endDate=2026-12-31');
    await page
      .getByRole('search')
      .getByRole('button', { name: /^Placed: .* – / })
      .click();
    await page.getByLabel('From').focus();
    for (const key of ['Delete', 'Tab', 'Delete', 'Tab', 'Delete', 'Tab', 'Tab'])
      await page.keyboard.press(key);
    await expect.poll(() => searchOf(holder)).toBe('?endDate=2026-12-31');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect.poll(() => searchOf(holder)).toMatch(/^\?startDate=\d{4}-\d\d-\d\d$/);
  });

  it('lead back to the list of filters', async () => {
    const { page } = holder;
    await holder.visit('/orders');
    const popover = await openFilter(page, 'Payment');
    await popover.getByRole('button', { name: 'Paid' }).waitFor();
    await popover.getByRole('button', { name: 'All filters' }).click();
    await popover.getByRole('button', { name: 'Order', exact: true }).and(page.locator(':focus')).waitFor();
    expect(searchOf(holder)).toBe('');
  });

  it('are saved as views of the wallet, renamed and deleted', async () => {
    const { page } = holder;
    await holder.visit('/orders?status=SHIPPED&orderBy=totalAmount:desc');
    const menu = async (button: string, item: string) => {
      await page.getByRole('search').getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('Views', 'Save these filters');
    await page.getByRole('dialog').getByLabel('Name').fill('On the way');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'On the way' }).waitFor();
    await holder.visit('/orders');
    await menu('Views', 'On the way');
    await page.waitForURL(/status=SHIPPED&orderBy=totalAmount/);
    await menu('On the way', 'Rename this view');
    await page.getByRole('dialog').getByLabel('Name').fill('Large parcels');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Large parcels' }).waitFor();

    // Another wallet in the same browser has its own.
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await holder.signInAs(service.demo.holders[1].name);
    await holder.visit('/orders?status=SHIPPED');
    await page.getByRole('search').getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save these filters' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await holder.signInAs(service.demo.holders[0].name);

    await holder.visit('/orders?status=SHIPPED&orderBy=totalAmount:desc');
    await menu('Large parcels', 'Delete this view');
    await page.getByText('The view Large parcels is deleted').waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await menu('Large parcels', 'Delete this view');
    await page.getByRole('search').getByRole('button', { name: 'Views', exact: true }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("views"))')).toEqual(
      [],
    );
  });

  it('survive what somebody else has stored as views', async () => {
    const { page } = holder;
    await holder.visit('/orders?status=SHIPPED');
    const [{ walletAddress }] = service.demo.holders;
    const key = `keyfront.views.${walletAddress.toLowerCase()}./orders`;
    const stored = [null, 1, { name: 2 }, { name: 'Odd', search: { status: '<img>', refundDue: true } }];
    for (const text of ['{', JSON.stringify(stored)]) {
      await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(text)})`);
      await page.reload();
      await page.getByRole('search').getByRole('button', { name: 'Views', exact: true }).click();
    }
    await page.getByRole('menuitem', { name: 'Odd' }).click();
    await page.waitForURL(/orders\?refundDue=[^&]*true[^&]*$/);
    await page.evaluate(`localStorage.removeItem(${JSON.stringify(key)})`);
  });

  for (const hasTouch of [false, true]) {
    it(`are closed by a press beside them, which does nothing else: ${hasTouch ? 'finger' : 'mouse'}`, async () => {
      const visitor = await browser.signIn(service.demo.holders[0].name, { hasTouch });
      const { page } = visitor;
      await visitor.visit('/orders');
      const link = page.getByRole('link', { name: 'KF-' }).nth(5);
      await link.waitFor();
      const press = async () => {
        const { x, y, height } = (await link.boundingBox()) ?? { x: 0, y: 0, height: 0 };
        await (hasTouch
          ? page.touchscreen.tap(x + 5, y + height / 2)
          : page.mouse.click(x + 5, y + height / 2));
      };
      const above = [
        {
          open: () => page.getByRole('button', { name: 'Filter', exact: true }).click(),
          opened: page.getByRole('dialog', { name: 'Filter' }),
        },
        {
          open: () => page.getByRole('button', { name: /^Account/ }).click(),
          opened: page.getByRole('menu'),
        },
        {
          open: () => page.getByRole('combobox', { name: 'Sorted' }).click(),
          opened: page.getByRole('listbox'),
        },
      ];
      for (const { open, opened } of above) {
        await open();
        await opened.waitFor();
        await press();
        await opened.waitFor({ state: 'hidden' });
        expect(new URL(page.url()).pathname).toBe('/console/orders');
      }
      // Nothing of them is left that would take a press.
      await press();
      await page.waitForURL('**/orders/*');
      visitor.expectNoComplaints();
      await visitor.close();
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`are accessible while one is set: ${colorScheme}`, async () => {
      const visitor = await browser.signIn(service.demo.holders[0].name, { colorScheme });
      await visitor.visit('/orders?status=SHIPPED&startDate=2026-01-01');
      const popover = await openFilter(visitor.page, 'Reference');
      await expectAccessible(visitor.page);
      await popover.getByLabel('Reference').fill('no-such-reference');
      await visitor.page.getByText('No order matches').waitFor();
      await visitor.page.keyboard.press('Enter');
      await filterChip(visitor.page, 'Reference: no-such-reference').click();
      await expectAccessible(visitor.page);
      visitor.expectNoComplaints();
      await visitor.close();
    });
  }
});
