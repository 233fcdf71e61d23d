import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the board of sales in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let storefront: Keyfront;
  /** More than fit on a screen, and more than a page of a column. */
  const names = Array.from({ length: 24 }, (_, index) => `Lead-${String(index).padStart(2, '0')} Board`);

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    for (const [index, name] of names.entries()) {
      const [firstName = '', lastName = ''] = name.split(' ');
      await storefront.clients.create({ firstName, lastName, email: `lead-${index}@example.org` });
    }
  });

  const column = (page: Page, name: string) => page.getByRole('region', { name });
  const button = (page: Page, name: string) =>
    page.getByRole('button', { name: `Move the sale of ${name}`, exact: true });
  const order = async (page: Page, name: string) =>
    (await column(page, name).getByRole('article').locator('bdi').allTextContents()).filter((text) =>
      text.endsWith('Board'),
    );
  /** Fails if a part of the card is outside of the window or below the header. */
  const expectInView = async (page: Page, stage: string, name: string) => {
    const card = column(page, stage).getByRole('article').filter({ hasText: name });
    await expect
      .poll(async () => {
        const box = await card.boundingBox();
        const size = page.viewportSize();
        if (!box || !size) return 'nowhere';
        const fits = box.x >= 0 && box.x + box.width <= size.width;
        return fits && box.y >= 60 && box.y + box.height <= size.height ? 'in view' : JSON.stringify(box);
      })
      .toBe('in view');
  };

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    it(`keeps a sale that is moved by keyboard in view, in focus and on top: ${viewport.width}`, async () => {
      const visitor = await browser.signIn(service.demo.holders[0].name, { viewport });
      const { page } = visitor;
      await visitor.visit('/sales');
      await expect.poll(() => order(page, 'Leads')).not.toEqual([]);
      const moved = (await order(page, 'Leads'))[12] ?? '';
      await button(page, moved).press('ArrowRight');
      await button(page, moved).and(page.locator(':focus')).waitFor();
      await expectInView(page, 'Ongoing', moved);
      await page.getByRole('status').getByText(`The sale of ${moved} is now in Ongoing`).waitFor();
      // Also when the service has told where it is, and for everybody who looks later.
      await page.reload();
      await expect.poll(async () => (await order(page, 'Ongoing'))[0]).toBe(moved);
      await button(page, moved).press('ArrowRight');
      await button(page, moved).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await button(page, moved).and(page.locator(':focus')).waitFor();
      await expectInView(page, 'Leads', moved);
      await expect
        .poll(
          async () => (await storefront.sales.list({ stage: 'LEADS', orderBy: 'updatedAt:desc' })).sales[0],
        )
        .toMatchObject({ client: { firstName: moved.split(' ')[0] } });
      await button(page, moved).and(page.locator(':focus')).waitFor();
      expect((await order(page, 'Leads'))[0]).toBe(moved);
      await expectAccessible(page);
      visitor.expectNoComplaints();
      await visitor.close();
    });
  }

  it('keeps a sale that is dragged in view, and its column in the order of the last change', async () => {
    const visitor = await browser.signIn(service.demo.holders[0].name);
    const { page } = visitor;
    await visitor.visit('/sales');
    await expect.poll(() => order(page, 'Leads')).not.toEqual([]);
    const moved = (await order(page, 'Leads')).at(-1) ?? '';
    await button(page, moved).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 4_000);
    const card = column(page, 'Leads').getByRole('article').filter({ hasText: moved });
    // What is dragged far down arrives on top, out of sight.
    await column(page, 'Closed').evaluate((element) => {
      (element as unknown as { style: { minHeight: string } }).style.minHeight = '4000px';
    });
    const target = await column(page, 'Closed').boundingBox();
    await card.dragTo(column(page, 'Closed'), {
      targetPosition: { x: 100, y: 700 - (target?.y ?? 0) },
    });
    await expectInView(page, 'Closed', moved);
    await expect.poll(async () => (await order(page, 'Closed'))[0]).toBe(moved);
    visitor.expectNoComplaints();
    await visitor.close();
  });
});
