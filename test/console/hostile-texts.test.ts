import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { installWallet } from '../support/injected-wallet.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

/** Texts that an outsider may enter, cut to what each field takes. */
const texts = {
  markup: `<img src=x onerror="window.isHacked=1"><script>window.isHacked=1</script>`,
  long: 'W'.repeat(10_000),
  rightToLeft: '\u202eevil\u202c',
  invisible: 'a\u200b\u200d\ufeffb',
};
const phone = { width: 390, height: 844 };

/** What the fields of a kind of text have become. */
interface Filled {
  readonly clientId: string;
  readonly orderId: string;
  readonly invoiceNumber: string;
  readonly webhookId: string;
  readonly email: string;
}

describe('hostile texts in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let admin: Visitor;
  let storefront: Keyfront;
  let platform: Keyfront;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [{ name }] = service.demo.holders;
    holder = await browser.signIn(name, { viewport: phone });
    admin = await browser.signIn('Administrator', { viewport: phone });
    platform = new Keyfront({ baseUrl: service.origin, token: await readToken(admin) });
  });

  const readToken = ({ page }: Visitor): Promise<string> =>
    page.evaluate('JSON.parse(localStorage["keyfront.session"]).token');

  /** Fills each field that somebody else than the reader can fill: customers, storefronts, holders, administrators. */
  async function fillEverything(kind: string, text: string): Promise<Filled> {
    const cut = (length: number) => text.slice(0, length);
    const email = `${kind}@example.org`.toLowerCase();
    const address = {
      ...{ address1: cut(200), address2: cut(200), landmark: cut(200), city: cut(100), state: cut(100) },
      ...{ country: cut(100), postalCode: cut(20), countryCode: 'PRT' },
    };
    const client = await storefront.clients.create({
      firstName: cut(100),
      lastName: cut(100),
      email,
      phoneCode: '+351',
      contactNumber: '200 555 010',
      externalReference: cut(200),
      title: cut(50),
      shipping: address,
      clientBusiness: { businessType: cut(100), name: cut(200), address1: cut(200) },
      medicalRecord: { [cut(100)]: text },
    });
    await storefront.sales.create({ clientId: client.id, description: cut(1000) });
    const webhook = await storefront.webhooks.create({
      url: encodeURI(`http://127.0.0.1:9/${kind}/${cut(600)}`),
      eventTypes: ['sale.*'],
      description: cut(200),
    });
    const [strain] = (await storefront.strains.list({ countryCode: 'PRT', take: 1 })).strains;
    const order = await storefront.orders.create({
      clientId: service.demo.holders[0].clientIds.ready,
      items: [{ strainId: strain?.id ?? '', quantity: 1 }],
      shippingAddress: address,
      note: cut(1000),
    });
    await platform.admin.orders.update(order.id, { adminApproval: 'REJECTED', rejectionNote: cut(1000) });
    await platform.admin.clients.update(client.id, { adminApproval: 'REJECTED', rejectionNote: cut(1000) });
    const holderSession = new Keyfront({ baseUrl: service.origin, token: await readToken(holder) });
    await holderSession.keys.create({ keyName: cut(100) });
    const number = 9_000 + Object.keys(texts).indexOf(kind);
    await platform.admin.planets.create({ number, name: cut(100), description: cut(2000) });
    await platform.admin.strains.create({
      ...{ name: cut(100), type: 'HYBRID', thc: 1, cbd: 1, retailPrice: 1, currency: 'EUR' },
      ...{ planet: String(number), description: cut(2000), flavour: cut(500), feelings: cut(500) },
      ...{ helpsWith: cut(500), countryCodes: ['PRT'], stockQuantity: 1 },
      strainImages: [{ strainImageUrl: strain?.imageUrl ?? '', altText: cut(500) }],
    });
    const { id: orderId, invoiceNumber } = order;
    return { clientId: client.id, orderId, invoiceNumber, webhookId: webhook.id, email };
  }

  async function expectInShape({ page }: Visitor, where: string): Promise<void> {
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBe(0);
    expect(await page.evaluate('window.isHacked'), where).toBeUndefined();
  }

  for (const [kind, text] of Object.entries(texts)) {
    it(`are shown as text, and pages stay in shape: ${kind}`, async () => {
      const filled = await fillEverything(kind, text);
      // Fields without surrounding space keep all of it; a table may show less, but has it all in the document.
      const shown = text.slice(0, 40).trim();
      const open = async (visitor: Visitor, path: string, sign = shown) => {
        await visitor.visit(path);
        await visitor.page.getByText(sign, { exact: false }).first().waitFor({ state: 'attached' });
        await expectInShape(visitor, path);
      };
      const openDialog = async (visitor: Visitor, button: string, row: Page | Locator = visitor.page) => {
        await row.getByRole('button', { name: button }).first().click();
        await visitor.page.getByRole('dialog').waitFor();
        await expectInShape(visitor, button);
        await visitor.page.keyboard.press('Escape');
        await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      const search = encodeURIComponent(text.slice(0, 90));

      await open(holder, `/orders/${filled.orderId}`);
      await open(holder, `/orders?search=${search}`, 'orders');
      await open(holder, '/clients');
      await open(holder, '/sales');
      await open(holder, '/webhooks');
      await open(holder, `/webhooks/${filled.webhookId}`);
      await open(holder, '/keys');
      await open(holder, `/catalogue?search=${search}&countryCode=PRT`);
      await open(holder, '/', 'Latest orders');
      await open(holder, `/clients/${filled.clientId}`);
      await openDialog(holder, 'Edit');
      await holder.page.getByRole('button', { name: 'Show medical record' }).click();
      await holder.page.getByLabel('Reason').fill(text.slice(0, 500));
      await holder.page.getByRole('button', { name: 'Show', exact: true }).click();
      await holder.page.getByRole('dialog').getByText(shown.slice(0, 10)).first().waitFor();
      await expectInShape(holder, 'the medical record');

      /** Opens the panel beside the only row. */
      const peek = async (label: string) => {
        await admin.page.keyboard.press('Space');
        await admin.page.getByText('Known since').waitFor();
        await expectInShape(admin, `the panel of ${label}`);
      };
      await open(admin, `/admin/orders?search=${filled.invoiceNumber}`);
      await peek('an order');
      await open(admin, `/admin/clients?search=${encodeURIComponent(filled.email)}`);
      await peek('a client');
      await open(admin, `/admin/clients/${filled.clientId}`);
      await open(admin, `/admin/holders?search=${search}`, 'No holder matches');
      await open(admin, `/admin/holders/${(await storefront.holder.me()).id}`);
      await open(admin, '/admin/planets');
      await openDialog(admin, 'Edit', admin.page.getByRole('row').filter({ hasText: shown }));
      await open(admin, `/admin/catalogue?search=${search}`);
      await openDialog(admin, 'Edit');
      await openDialog(admin, 'Images of');
      await open(admin, '/admin/audit?subject=CLIENT', 'Medical record read');
      await admin.page.getByText('Medical record read').first().click();
      await admin.page.getByText(shown).first().waitFor();
      await expectInShape(admin, 'the audit log');
      holder.expectNoComplaints();
      admin.expectNoComplaints();
    });

    it(`are shown as text in events that arrive and in the search of all pages: ${kind}`, async () => {
      // A quotation mark has a backslash before it in JSON.
      const shown = text.slice(0, 18);
      await holder.visit('/events');
      await holder.page.getByRole('heading', { name: 'Events' }).waitFor();
      const clientId = service.demo.holders[0].clientIds.ready;
      const updated = holder.page
        .locator('details')
        .filter({ hasText: 'client.updated' })
        .filter({ hasText: shown });
      // The stream may begin after a change, so there is another one until the event is there.
      await expect
        .poll(async () => {
          await storefront.clients.update(clientId, { lastName: `${text.slice(0, 80)} ${Date.now()}` });
          return updated.count();
        })
        .toBeGreaterThan(0);
      await updated.first().locator('summary').click();
      await holder.page.locator('details[open]').filter({ hasText: shown }).waitFor();
      await expectInShape(holder, 'an event');
      await holder.page.keyboard.press('Control+k');
      await holder.page.keyboard.type(text.slice(0, 12));
      await holder.page.getByRole('option').first().waitFor();
      await expectInShape(holder, 'the command palette');
      await holder.page.keyboard.press('Escape');
      holder.expectNoComplaints();
    });

    it(`are shown as text in the name of a wallet: ${kind}`, async () => {
      const visitor = await browser.open({ viewport: phone });
      const privateKey = service.demo.holders[0].walletPrivateKey as `0x${string}`;
      await installWallet(visitor.context, { name: text, privateKey });
      await visitor.visit('/sign-in');
      await visitor.page.getByText(text.slice(0, 40)).first().waitFor();
      await expectInShape(visitor, 'the page to sign in');
      visitor.expectNoComplaints();
      await visitor.close();
    });
  }
});
