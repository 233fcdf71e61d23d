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
  let storefront: Keyfront;

  beforeAll(async () => {
    service = await startDemoService();
    browser = await launchConsoleBrowser(service.origin);
    const [{ apiKey, secretKey, name }] = service.demo.holders;
    storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    visitor = await browser.open({ viewport: { width: 390, height: 844 } });
    await visitor.visit('/');
    await visitor.signInAs(name);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const [kind, text] of Object.entries(texts)) {
    it(`shows them as text and stays in shape: ${kind}`, async () => {
      const cut = (length: number) => text.slice(0, length);
      const client = await storefront.clients.create({
        firstName: cut(100),
        lastName: cut(100),
        email: `${kind}@example.org`.toLowerCase(),
        externalReference: cut(200),
        title: cut(50),
        shipping: { address1: cut(200), city: cut(100), countryCode: 'PRT' },
      });
      await storefront.sales.create({ clientId: client.id, description: cut(1000) });
      const { page } = visitor;
      for (const path of [`/clients/${client.id}`, '/clients', '/sales', '/']) {
        await visitor.visit(path);
        if (path !== '/') await page.getByText(cut(40).trim(), { exact: false }).first().waitFor();
        else await page.getByText('Latest orders').waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
        expect(await page.evaluate('window.isHacked')).toBeUndefined();
      }
      visitor.expectNoComplaints();
    });
  }
});
