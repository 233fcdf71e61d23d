import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, launchConsoleBrowser, type Visitor } from '../support/console-browser.ts';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';

/** Texts that an outsider may enter, cut to what each field takes. */
const texts = {
  markup: `<img src=x onerror="window.isHacked=1"><script>window.isHacked=1</script>`,
  long: 'W'.repeat(10_000),
  rightToLeft: '\u202eevil\u202c',
  invisible: 'a\u200b\u200d\ufeffb',
};

describe('hostile texts in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let visitor: Visitor;
  let admin: Visitor;
  let storefront: Keyfront;

  beforeAll(async () => {
    service = await startDemoService();
    browser = await launchConsoleBrowser(service.origin);
    const [{ apiKey, secretKey, name }] = service.demo.holders;
    storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    visitor = await browser.open({ viewport: { width: 390, height: 844 } });
    await visitor.visit('/');
    await visitor.signInAs(name);
    admin = await browser.open({ viewport: { width: 390, height: 844 } });
    await admin.visit('/');
    await admin.signInAs('Administrator');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const [kind, text] of Object.entries(texts)) {
    it(`shows them as text and stays in shape: ${kind}`, async () => {
      const cut = (length: number) => text.slice(0, length);
      const email = `${kind}@example.org`.toLowerCase();
      const client = await storefront.clients.create({
        firstName: cut(100),
        lastName: cut(100),
        email,
        phoneCode: '+351',
        contactNumber: '200 555 010',
        externalReference: cut(200),
        title: cut(50),
        shipping: {
          ...{ address1: cut(200), address2: cut(200), landmark: cut(200), city: cut(100), state: cut(100) },
          ...{ country: cut(100), postalCode: cut(20), countryCode: 'PRT' },
        },
        clientBusiness: { businessType: cut(100), name: cut(200), address1: cut(200) },
        medicalRecord: { [cut(100)]: text },
      });
      await storefront.sales.create({ clientId: client.id, description: cut(1000) });
      const webhook = { url: `http://127.0.0.1:9/${kind}`, eventTypes: ['sale.*'], description: cut(200) };
      const { id: webhookId } = await storefront.webhooks.create(webhook);
      const shown = cut(40).trim();
      const stays = async ({ page }: Visitor, path: string) => {
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
        expect(await page.evaluate('window.isHacked'), path).toBeUndefined();
      };
      for (const path of [
        `/clients/${client.id}`,
        '/clients',
        '/sales',
        '/webhooks',
        `/webhooks/${webhookId}`,
        '/',
      ]) {
        await visitor.visit(path);
        const sign = path === '/' ? 'Latest orders' : path === '/webhooks' ? webhook.url : shown;
        await visitor.page.getByText(sign, { exact: false }).first().waitFor();
        await stays(visitor, path);
      }
      await visitor.visit(`/clients/${client.id}`);
      await visitor.page.getByRole('button', { name: 'Show medical record' }).click();
      await visitor.page.getByLabel('Reason').fill(cut(500));
      await visitor.page.getByRole('button', { name: 'Show', exact: true }).click();
      await visitor.page
        .getByRole('dialog')
        .getByText(shown.slice(0, 10), { exact: false })
        .first()
        .waitFor();
      await stays(visitor, 'the medical record');
      for (const path of [
        `/admin/clients?search=${encodeURIComponent(email)}`,
        '/admin/audit?subject=CLIENT',
      ]) {
        await admin.visit(path);
        if (path.includes('audit')) await admin.page.getByText('Medical record read').first().click();
        await admin.page.getByText(shown, { exact: false }).first().waitFor();
        await stays(admin, path);
      }
      visitor.expectNoComplaints();
      admin.expectNoComplaints();
    });
  }
});
