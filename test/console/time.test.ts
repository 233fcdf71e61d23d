import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Keyfront, Order } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { readCsv } from '../support/read-csv.ts';
import { needs } from '../support/requirements.ts';
import { runSql } from '../support/test-database.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('time and language in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let storefront: Keyfront;

  useDemoConsole((opened) => {
    ({ service, browser, storefront } = opened);
  });

  /** Places two orders at the edges of a day, and one on either side of it. */
  const moveOrders = async (first: string, last: string): Promise<readonly Order[]> => {
    const { orders } = await storefront.orders.list({ take: 4 });
    const times = [Date.parse(first) - 1, Date.parse(first), Date.parse(last), Date.parse(last) + 1];
    for (const [at, { id }] of orders.entries()) {
      await runSql(service.ownerUrl, 'UPDATE keyfront.orders SET created_at = $2 WHERE id = $1', [
        id,
        new Date(times[at] ?? 0).toISOString(),
      ]);
    }
    return orders;
  };

  it.each([
    // In UTC, half of this day is the day before.
    ['Pacific/Auckland', '2026-11-12', '12 Nov 2026', '2026-11-11T11:00:00.000Z', '2026-11-12T10:59:59.999Z'],
    ['America/St_Johns', '2026-09-03', '3 Sept 2026', '2026-09-03T02:30:00.000Z', '2026-09-04T02:29:59.999Z'],
    // A day of 25 hours.
    ['Europe/Berlin', '2026-10-25', '25 Oct 2026', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ])(
    'filters and exports by the days of %s, as they are shown',
    async (timezoneId, day, shown, first, last) => {
      const moved = await moveOrders(first, last);
      const visitor = await browser.signIn(service.demo.holders[0].name, { timezoneId });
      const { page } = visitor;
      await visitor.visit(`/orders?startDate=${day}&endDate=${day}`);
      const rows = page.locator('tbody tr');
      for (const { invoiceNumber } of moved.slice(1, 3)) {
        await rows.filter({ hasText: invoiceNumber }).waitFor();
      }
      for (const { invoiceNumber } of [moved[0], moved[3]] as Order[]) {
        expect(await rows.filter({ hasText: invoiceNumber }).count()).toBe(0);
      }
      const times = rows.locator('time');
      // Rows whose time is relative have the day in their title.
      for (const time of await times.all()) {
        expect(`${await time.innerText()} ${await time.getAttribute('title')}`).toContain(shown);
      }

      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'CSV file' }).click(),
      ]);
      const [header = [], ...exported] = readCsv(await readFile(await file.path(), 'utf8'));
      const invoices = new Set(exported.map((cells) => cells[header.indexOf('invoiceNumber')]));
      expect([...invoices].sort()).toEqual((await rows.locator('a').allInnerTexts()).sort());

      const administrator = await browser.signIn('Administrator', { timezoneId });
      await administrator.visit(`/admin/orders?startDate=${day}&endDate=${day}`);
      await administrator.page.getByText(moved[1]?.invoiceNumber ?? '').waitFor();
      expect(await administrator.page.getByText(moved[0]?.invoiceNumber ?? '').count()).toBe(0);
      visitor.expectNoComplaints();
      await visitor.close();
      await administrator.close();
    },
  );

  it('speaks English in a browser of another language: dates, numbers, relative times, countries', async () => {
    const pages = {
      [service.demo.holders[0].name]: [
        '/',
        '/orders',
        '/clients',
        `/clients/${service.demo.holders[0].clientIds.ready}`,
        '/sales',
        '/catalogue',
        '/marketplace',
        '/keys',
        '/events',
      ],
      Administrator: [
        '/admin/orders',
        '/admin/clients',
        '/admin/holders',
        '/admin/catalogue',
        '/admin/delivery',
        '/admin/audit',
      ],
    };
    for (const [name, paths] of Object.entries(pages)) {
      // Its digits, words and punctuation are all of another script.
      const visitor = await browser.signIn(name, { locale: 'ar-EG' });
      for (const path of paths) {
        await visitor.visit(path);
        await visitor.page.getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => visitor.page.locator('[class*=skeleton]').count()).toBe(0);
        const text = await visitor.page.evaluate('document.body.innerText');
        expect([path, String(text).match(/.{0,20}[\u0600-\u06ff].{0,20}/g)]).toEqual([path, null]);
      }
      visitor.expectNoComplaints();
      await visitor.close();
    }
  });
});
