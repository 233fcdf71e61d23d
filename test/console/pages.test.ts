import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleBrowser, expectAccessible, launchConsoleBrowser } from '../support/console-browser.ts';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));

/** Every page, with something that is there when its data is. */
const holderPages: Readonly<Record<string, string>> = {
  overview: 'Latest orders',
  orders: 'KF-',
  clients: 'Verified',
  sales: 'ago',
  catalogue: 'in stock',
  marketplace: 'ETH',
  'marketplace?tab=sales': 'Cancelled',
  'marketplace?tab=transactions': 'Minted',
  keys: 'Demo key',
  webhooks: 'No webhooks yet',
  events: 'Listening',
  explorer: 'Send GET',
};
const adminPages: Readonly<Record<string, string>> = {
  'admin/orders': 'KF-',
  'admin/clients': 'Identity verified',
  'admin/catalogue': 'Amber Ferryman',
  'admin/planets': 'Number',
  'admin/delivery': 'PRT',
  'admin/audit': 'No entries',
};

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

describe('every page of the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    service = await startDemoService();
    browser = await launchConsoleBrowser(service.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [sizeName, viewport] of Object.entries(sizes)) {
      it(`is accessible, fits and complains of nothing: ${colorScheme}, ${sizeName}`, async () => {
        for (const [who, pages] of [
          [service.demo.holders[0].name, holderPages],
          ['Administrator', adminPages],
        ] as const) {
          const visitor = await browser.open({ colorScheme, viewport });
          const { page } = visitor;
          const shoot = (name: string) =>
            page.screenshot({
              path: `${screenshots}${name.replaceAll(/[^\w]+/g, '-')}-${colorScheme}-${viewport.width}.png`,
              fullPage: true,
            });
          await visitor.visit('/sign-in');
          await page.getByRole('button', { name: who }).waitFor();
          await expectAccessible(page);
          await shoot('sign-in');
          await visitor.signInAs(who);
          const [client, order] =
            who === 'Administrator' ? [] : [service.demo.holders[0].clientIds.ready, await findOrderId(page)];
          const details = client
            ? { [`clients/${client}`]: 'Identity', [`orders/${order}`]: 'Timeline' }
            : {};
          for (const [path, text] of Object.entries({ ...pages, ...details })) {
            await visitor.visit(path === 'overview' ? '/' : `/${path}`);
            await page.getByText(text).first().waitFor();
            await page.waitForLoadState('load');
            await expectAccessible(page);
            expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
            await shoot(path.replace(/\/[0-9a-f-]{36}$/, '-one'));
          }
          visitor.expectNoComplaints();
          await visitor.close();
        }
      });
    }
  }

  /** The id of an order on the overview. */
  async function findOrderId(page: import('playwright-core').Page): Promise<string> {
    const href = await page.locator('tbody a').first().getAttribute('href');
    return href?.split('/').at(-1) ?? '';
  }
});
