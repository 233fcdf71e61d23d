import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible } from '../support/console-browser.ts';
import { placeDemoOrder } from '../support/demo-order.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));

const webhookUrl = 'http://127.0.0.1:9/orders';

/** Every page, with something that is there when its data is. */
const holderPages: Readonly<Record<string, string>> = {
  overview: 'Latest events',
  orders: 'KF-',
  clients: 'Approved',
  carts: 'Clear',
  sales: 'ago',
  catalogue: 'in stock',
  marketplace: 'ETH',
  'marketplace?tab=sales': 'Cancelled',
  'marketplace?tab=transactions': 'Minted',
  keys: 'Demo key',
  webhooks: webhookUrl,
  events: 'client.updated',
  explorer: 'Send GET',
};
const adminPages: Readonly<Record<string, string>> = {
  admin: 'The oldest waits',
  'admin/orders': 'KF-',
  'admin/refunds': 'Refund due',
  'admin/clients': 'Identity verified',
  'admin/holders': '#1',
  'admin/catalogue': 'Amber Ferryman',
  'admin/planets': 'Number',
  'admin/delivery': 'Portugal',
  'admin/audit': 'Order changed',
};

/** What is opened on a page, by the names of the buttons and menu items that lead there. */
const dialogs: Readonly<Record<string, readonly (readonly (string | RegExp)[])[]>> = {
  overview: [[/^Account/], [/^Primary digital key/]],
  orders: [['Export']],
  clients: [['Add client']],
  'clients-one': [['Edit'], ['Show medical record']],
  marketplace: [[/^Sell #/]],
  carts: [[/^Clear the cart of/]],
  keys: [['Create key'], ['Change Demo key', 'Edit'], ['Change Demo key', 'Revoke']],
  webhooks: [['Add webhook']],
  'webhooks-one': [['Edit'], ['Replay'], ['webhook.test'], ['More', 'Delete']],
  'admin/orders-one': [['Refund…'], ['Send a parcel'], [/^Correct the shipment/]],
  'admin/catalogue': [['Add strain'], ['Edit Amber Ferryman'], ['Images of Amber Ferryman']],
  'admin/planets': [['Add planet']],
  'admin/delivery': [['Set a charge']],
};

/** Half of what Web Vitals call good. */
const maxLayoutShift = 0.05;

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

describe('every page of the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let webhookId: string;
  let holderId: string;
  /** Of an order with payments, a refund and a parcel. */
  let orderId: string;

  useDemoConsole(async (opened) => {
    mkdirSync(screenshots, { recursive: true });
    ({ service, browser } = opened);
    const [{ apiKey, secretKey }] = service.demo.holders;
    const storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    const webhook = { url: webhookUrl, eventTypes: ['order.*'], description: 'Warehouse' };
    ({ id: webhookId } = await storefront.webhooks.create(webhook));
    await storefront.webhooks.test(webhookId);
    ({ id: holderId } = await storefront.holder.me());
    // Something has happened.
    const clientId = service.demo.holders[0].clientIds.ready;
    const { countryCode } = (await storefront.clients.get(clientId)).shipping;
    const { strains } = await storefront.strains.list({ countryCode, isAvailable: 'true', take: 5 });
    await storefront.carts.add({
      clientId,
      cartItems: strains.map(({ id }, index) => ({ strainId: id, quantity: index + 1 })),
    });
    await storefront.sales.create({ clientId });
    for (const title of ['Dr', 'Prof', '']) await storefront.clients.update(clientId, { title });
    const admin = await browser.signIn('Administrator');
    const platform = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    await admin.close();
    const order = await placeDemoOrder(storefront, service.demo, {
      quantity: 3,
      externalReference: 'shop-4711',
      metadata: { campaign: 'Spring in the valley', channel: 'web' },
    });
    orderId = order.id;
    const [line] = (await storefront.orders.get(orderId)).orderLines;
    const orderLines = [{ id: line?.id ?? '', quantity: 1 }];
    await platform.admin.orders.update(orderId, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
    await platform.admin.orders.refund(orderId, {
      orderLines,
      reason: 'The jar arrived broken.',
      restock: true,
    });
    await platform.admin.orders.ship(orderId, {
      carrier: 'CTT Expresso',
      trackingNumber: 'EA123456789PT',
      trackingUrl: 'https://carrier.example/track/EA123456789PT',
      orderLines,
    });
    const cancelled = await placeDemoOrder(storefront, service.demo);
    await storefront.orders.cancel(cancelled.id);
    await platform.admin.orders.update(cancelled.id, { paymentStatus: 'PAID' });
  });

  for (const chosen of ['light', 'dark'] as const) {
    it(`has the chosen colours before its scripts have run: ${chosen}`, async () => {
      const { page, ...visitor } = await browser.open({ colorScheme: chosen === 'dark' ? 'light' : 'dark' });
      await visitor.visit('/sign-in');
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const bySystem = await background();
      await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${chosen}')`);
      await page.reload();
      await page.getByRole('button', { name: 'Administrator' }).waitFor();
      const byChoice = await background();
      expect(byChoice).not.toBe(bySystem);
      // The scripts of the page never arrive.
      await page.route('**/assets/*.js', () => undefined);
      await page.reload({ waitUntil: 'commit' });
      await page.locator('.first-paint:visible').waitFor();
      expect(await background()).toBe(byChoice);
      expect(await page.getByRole('button').count()).toBe(0);
      await visitor.close();
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [sizeName, viewport] of Object.entries(sizes)) {
      it(`is accessible, fits, stays in place and complains of nothing: ${colorScheme}, ${sizeName}`, async () => {
        const shifts: object[] = [];
        for (const [who, pages] of [
          [service.demo.holders[0].name, holderPages],
          ['Administrator', adminPages],
        ] as const) {
          const visitor = await browser.open({ colorScheme, viewport, reducedMotion: 'reduce' });
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
          const client = service.demo.holders[0].clientIds.ready;
          const details =
            who === 'Administrator'
              ? {
                  [`admin/holders/${holderId}`]: 'Demo key',
                  [`admin/orders/${orderId}`]: 'Timeline',
                  [`admin/clients/${client}`]: 'History',
                }
              : {
                  [`clients/${client}`]: 'Identity',
                  [`orders/${orderId}`]: 'Timeline',
                  [`webhooks/${webhookId}`]: 'Deliveries',
                };
          for (const [path, text] of Object.entries({ ...pages, ...details })) {
            await visitor.visit(path === 'overview' ? '/' : `/${path}`);
            // The options of closed lists are in the page too.
            await page.getByText(text).and(page.locator(':visible')).first().waitFor();
            await page.waitForLoadState('load');
            await expectAccessible(page);
            expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
            const name = path.replace(/\/[0-9a-f-]{36}$/, '-one');
            const shift = await visitor.readLayoutShift();
            if (shift.score > maxLayoutShift) shifts.push({ name, ...shift });
            await shoot(name);
            for (const steps of dialogs[name] ?? []) {
              for (const step of steps) {
                await page
                  .getByRole('button', { name: step })
                  .or(page.getByRole('menuitem', { name: step }))
                  .first()
                  .click();
              }
              await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor();
              await expectAccessible(page);
              expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
              await shoot(`${name}-${String(steps.at(-1))}`);
              await page.keyboard.press('Escape');
              await page
                .getByRole('dialog')
                .or(page.getByRole('menu'))
                .first()
                .waitFor({ state: 'detached' });
            }
          }
          visitor.expectNoComplaints();
          await visitor.close();
        }
        expect(shifts).toEqual([]);
      });
    }
  }
});
