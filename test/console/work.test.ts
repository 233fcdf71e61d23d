import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { curl } from '../support/curl.ts';
import type { DemoService } from '../support/demo-service.ts';
import { signWithOpenssl } from '../support/openssl.ts';
import { readCsv } from '../support/read-csv.ts';
import { readXlsx } from '../support/read-xlsx.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('work in the console', needs('Chromium', 'OpenSSL'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let admin: Visitor;
  let storefront: Keyfront;
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-console-'));

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
    const [first] = service.demo.holders;
    storefront = new Keyfront({
      baseUrl: service.origin,
      apiKey: first.apiKey,
      secretKey: first.secretKey,
    });
    holder = await browser.signIn(first.name);
    admin = await browser.signIn('Administrator');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });

  afterEach(() => {
    holder.expectNoComplaints();
    admin.expectNoComplaints();
  });

  const download = async (
    page: Page,
    start: () => Promise<void>,
  ): Promise<{ name: string; content: Buffer }> => {
    const [file] = await Promise.all([page.waitForEvent('download'), start()]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };

  it('follows an order from a new client to the delivery, each seeing the other’s changes', async () => {
    const email = 'ada.console@example.org';
    await holder.visit('/clients');
    await holder.page.getByRole('button', { name: 'Add client' }).click();
    const form = holder.page.getByRole('dialog');
    await form.getByLabel('First name').fill('Ada');
    await form.getByLabel('Last name').fill('Console');
    await form.getByLabel('E-mail').fill('not an address');
    holder.expectRefusal(400);
    await form.getByRole('button', { name: 'Add client' }).click();
    await form.getByText('Must be an e-mail address').waitFor();
    await form.getByLabel('E-mail').fill(email);
    await form.getByLabel('Street').fill('Rua Nova 1');
    await form.getByLabel('City').fill('Lisboa');
    await form.getByLabel('Postal code').fill('1000-001');
    await form.getByLabel('Country').selectOption('Portugal');
    await form.getByRole('button', { name: 'Add client' }).click();
    await holder.page.getByRole('heading', { name: 'Ada Console' }).waitFor();
    await holder.page.getByText('Approval pending').waitFor();
    const clientId = holder.page.url().split('/').at(-1) ?? '';

    await admin.visit(`/admin/clients?adminApproval=PENDING&search=${encodeURIComponent(email)}`);
    await admin.page.getByText('Ada Console').waitFor();
    await admin.page.keyboard.press('Space');
    await admin.page.getByLabel('Identity verified').click({ force: true });
    await admin.page.getByLabel('Identity verified').and(admin.page.locator(':checked')).waitFor();
    await admin.page.keyboard.press('a');
    await admin.page.getByText('No client matches').waitFor();
    // Without being loaded again.
    await holder.page.getByText('Approved', { exact: true }).waitFor();

    const { strains } = await storefront.strains.list({ countryCode: 'PRT', take: 50 });
    const strain = strains.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 5);
    const order = await storefront.orders.create({
      clientId,
      items: [{ strainId: strain?.id ?? '', quantity: 2 }],
    });
    await holder.page.getByRole('link', { name: order.invoiceNumber }).click();
    await holder.page.getByText('Approval pending').waitFor();

    await admin.visit(`/admin/orders?search=${order.invoiceNumber}`);
    await admin.page.getByText(order.invoiceNumber, { exact: true }).waitFor();
    await admin.page.keyboard.press('a');
    await admin.page.getByRole('row').getByText('To pay', { exact: true }).waitFor();
    await holder.page.getByText('Approved', { exact: true }).first().waitFor();
    await admin.page.keyboard.press('Space');
    for (const [menu, move, confirm, shown] of [
      ['Order pending', 'Processing', null, 'Order processing'],
      ['Payment pending', 'Paid', /^Note .* as paid$/, 'Paid'],
      ['Order processing', 'Shipped', 'Mark as shipped', 'Order shipped'],
      ['Order shipped', 'Delivered', 'Mark as delivered', 'Order delivered'],
    ] as const) {
      await admin.page.getByRole('button', { name: menu }).click();
      await admin.page.getByRole('menuitem', { name: move }).click();
      if (confirm) await admin.page.getByRole('dialog').getByRole('button', { name: confirm }).click();
      await holder.page.getByText(shown, { exact: true }).first().waitFor();
    }
    // A delivered order cannot be moved any more.
    await admin.page.getByRole('row').getByText('Delivered', { exact: true }).waitFor();
    expect(await admin.page.getByRole('button', { name: 'Order delivered' }).count()).toBe(0);
    expect(await holder.page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0);
  });

  it('exports the orders of a filter as CSV and as a workbook, with the values of the API', async () => {
    await holder.visit('/orders?status=SHIPPED');
    await holder.page.getByRole('cell', { name: /^Sent/ }).first().waitFor();
    const exportAs = async (format: string) => {
      await holder.page.getByRole('button', { name: 'Export' }).click();
      return download(holder.page, () => holder.page.getByRole('menuitem', { name: format }).click());
    };
    const csv = await exportAs('CSV file');
    const xlsx = await exportAs('Excel workbook');
    expect(csv.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
    expect(xlsx.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.xlsx$/);

    const { orders } = await storefront.orders.export({ status: 'SHIPPED', take: 1000 }).page(1);
    expect(orders.length).toBeGreaterThan(5);
    const rows = orders.map(({ client, nft, metadata: _metadata, ...order }) => ({
      ...order,
      clientId: client.id,
      clientFirstName: client.firstName,
      clientLastName: client.lastName,
      clientEmail: client.email,
      tokenId: nft.tokenId,
    })) as Record<string, string | number>[];
    const [names = [], ...csvRows] = readCsv(csv.content.toString().replace(/^\ufeff/, ''));
    expect(csvRows).toEqual(
      rows.map((row) =>
        names.map((name) => (name === 'totalAmount' ? Number(row[name]).toFixed(2) : String(row[name]))),
      ),
    );
    const [headings = [], ...xlsxRows] = readXlsx(xlsx.content);
    expect(headings).toEqual(names);
    // A workbook counts the days since 1899-12-30.
    const dayOf = (time: unknown) => Date.parse(String(time)) / 86_400_000 + 25_569;
    expect(xlsxRows).toEqual(
      rows.map((row) => names.map((name) => (name.endsWith('At') ? dayOf(row[name]) : row[name]))),
    );
  });

  it('makes a key in the browser with which curl and OpenSSL sign, and sends no secret', async () => {
    const sent: string[] = [];
    holder.page.on('request', (request) => sent.push(request.postData() ?? ''));
    await holder.visit('/keys');
    await holder.page.getByRole('button', { name: 'Create key' }).click();
    await holder.page.getByLabel('Name').fill('Made in the browser');
    await holder.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const { name, content } = await download(holder.page, () =>
      holder.page.getByRole('button', { name: 'Download' }).click(),
    );
    expect(name).toBe('keyfront-Made-in-the-browser.env');
    const [, apiKey = '', secretKey = ''] = /KEY=(.+)\n.+KEY=(.+)\n/.exec(content.toString()) ?? [];
    expect(sent.join('\n')).toContain(apiKey);
    expect(sent.join('\n')).not.toContain(secretKey);
    expect(sent.join('\n')).not.toContain('secretKey');
    await holder.page.getByRole('button', { name: 'Done' }).click();

    const file = join(folder, 'browser-key.pem');
    writeFileSync(file, Buffer.from(secretKey, 'base64'), { mode: 0o600 });
    const ask = (path: string, payload: string, ...options: string[]) =>
      curl(
        ...['--header', `x-auth-apikey: ${apiKey}`],
        ...['--header', `x-auth-signature: ${signWithOpenssl({ file }, payload)}`],
        ...options,
        `${service.origin}/api/v1${path}`,
      );
    const { walletAddress } = service.demo.holders[0];
    expect((await ask('/dapp/users/me', '{}')).json).toMatchObject({ data: { walletAddress } });
    expect((await ask('/dapp/strains?take=1', 'take=1')).status).toBe(200);
    const body = JSON.stringify({ firstName: 'Cur', lastName: 'Ell', email: 'cur.ell@example.org' });
    const created = await ask('/dapp/clients', body, ...['--json', body]);
    expect(created.status).toBe(201);

    await holder.page.getByRole('button', { name: 'Change Made in the browser' }).click();
    await holder.page.getByRole('menuitem', { name: 'Revoke' }).click();
    await holder.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await holder.page.getByText('Made in the browser is revoked').waitFor();
    expect((await ask('/dapp/users/me', '{}')).status).toBe(401);
  });

  it('moves a sale by keyboard, and takes it back where the service refuses', async () => {
    await holder.visit('/sales');
    const leads = holder.page.getByRole('region', { name: 'Leads' });
    const ongoing = holder.page.getByRole('region', { name: 'Ongoing' });
    await leads.getByText('Krit Phromma').waitFor();
    await holder.page.getByRole('button', { name: 'Move the sale of Krit Phromma' }).press('ArrowRight');
    await ongoing.getByText('Krit Phromma').waitFor();
    holder.expectRefusal(403);
    await holder.page.route('**/dapp/sales?id=*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 403,
            contentType: 'application/json',
            headers: { 'x-request-id': 'request-of-a-test' },
            body: JSON.stringify({
              success: false,
              statusCode: 403,
              code: 'NOT_OWNED',
              message: 'Sale belongs to another digital key',
              data: null,
            }),
          })
        : route.continue(),
    );
    await ongoing.getByRole('button', { name: 'Move the sale of Krit Phromma' }).press('ArrowLeft');
    await holder.page.getByText('Sale belongs to another digital key').waitFor();
    await holder.page.getByText('request-of-a-test').waitFor();
    await ongoing.getByText('Krit Phromma').waitFor();
    await holder.page.unroute('**/dapp/sales?id=*');
  });

  it('offers the digital key by a signature of the wallet, and takes the offer back', async () => {
    await holder.visit('/marketplace');
    await holder.page.getByRole('button', { name: /^Sell #/ }).click();
    await holder.page.getByLabel('Price in ETH').fill('a lot');
    holder.expectRefusal(400);
    await holder.page.getByRole('button', { name: 'Sign and list' }).click();
    await holder.page.getByText(/^Must/).waitFor();
    await holder.page.getByText('The offer ends after 30 days').waitFor();
    await holder.page.getByLabel('Price in ETH').fill('1,25');
    await holder.page.getByRole('button', { name: 'Sign and list' }).click();
    await holder.page.getByRole('cell', { name: '1.25 ETH' }).waitFor();
    const { listings } = await storefront.nftListings.list();
    expect(listings.map(({ price, tokenId }) => [price, tokenId])).toContainEqual([
      '1.25',
      service.demo.holders[0].primaryTokenId,
    ]);
    // A digital key has one offer at a time.
    expect(await holder.page.getByRole('button', { name: /^Sell #/ }).count()).toBe(0);
    await holder.page.getByRole('link', { name: /^#\d+ is for sale$/ }).waitFor();
    await holder.page.getByRole('button', { name: 'Cancel sale' }).click();
    const question = holder.page.getByRole('dialog', { name: /^Cancel the sale of #/ });
    await expectAccessible(holder.page);
    await question.getByRole('button', { name: 'Keep' }).click();
    await question.waitFor({ state: 'detached' });
    await holder.page
      .getByRole('button', { name: 'Cancel sale' })
      .and(holder.page.locator(':focus'))
      .press('Enter');
    await question.getByRole('button', { name: 'Cancel sale' }).click();
    await holder.page.getByText('is no longer for sale').waitFor();
    await holder.page.getByRole('button', { name: 'Cancel sale' }).waitFor({ state: 'detached' });
    await holder.page
      .getByRole('heading', { name: 'Marketplace' })
      .and(holder.page.locator(':focus'))
      .waitFor();
    await holder.page
      .getByRole('button', { name: /^Sell #/ })
      .and(holder.page.locator(':enabled'))
      .waitFor();
    expect((await storefront.nftSales.list()).sales.map(({ state }) => state)).not.toContain('LISTED');
  });

  it('shows a medical record only with a reason, which the audit log keeps', async () => {
    const { ready: clientId } = service.demo.holders[0].clientIds;
    await storefront.clients.update(clientId, { medicalRecord: { allergies: ['penicillin'] } });
    const received: string[] = [];
    holder.page.on('response', async (response) => {
      if (response.url().includes(clientId)) received.push(await response.text().catch(() => ''));
    });
    await holder.visit(`/clients/${clientId}`);
    await holder.page.getByRole('button', { name: 'Show medical record' }).click();
    await holder.page.getByLabel('Reason').fill('A question about an allergy');
    await expectAccessible(holder.page);
    expect(received.join()).not.toContain('penicillin');
    await holder.page.getByRole('button', { name: 'Show', exact: true }).click();
    await holder.page.getByText('penicillin').waitFor();
    await expectAccessible(holder.page);
    await holder.page.getByRole('button', { name: 'Close' }).last().click();
    await admin.visit(`/admin/audit?subject=CLIENT&subjectId=${clientId}`);
    await admin.page.getByText('Medical record read').click();
    await admin.page.getByRole('cell', { name: 'A question about an allergy' }).waitFor();
  });

  it('adds a webhook and shows what became of its deliveries', async () => {
    await holder.visit('/webhooks');
    await holder.page.getByRole('button', { name: 'Add webhook' }).first().click();
    const form = holder.page.getByRole('dialog');
    await form.getByLabel('Address').fill('http://hooks.example/in');
    holder.expectRefusal(400);
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText(/^Must/).first().waitFor();
    await form.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await holder.page.getByText(/^whsec_/).waitFor();
    await holder.page.getByRole('button', { name: 'I have saved it' }).click();
    await holder.page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).click();
    await holder.page.getByRole('button', { name: 'Send a test' }).click();
    await holder.page.getByText('A test is on its way').waitFor();
    await holder.page
      .getByRole('button', { name: /^Send again/ })
      .first()
      .waitFor();
    await holder.page.getByRole('button', { name: 'More' }).click();
    await holder.page.getByRole('menuitem', { name: 'Disable' }).click();
    await holder.page.getByText('Disabled', { exact: true }).waitFor();
  });

  it('changes price and stock of a strain, which the audit log shows', async () => {
    const { strains } = await storefront.strains.list({ search: 'Amber Ferryman', countryCode: 'PRT' });
    const stock = strains[0]?.stockQuantity ?? 0;
    await admin.visit('/admin/catalogue?search=Amber');
    await admin.page.getByRole('button', { name: 'Edit Amber Ferryman' }).click();
    const portugal = admin.page.getByRole('group', { name: 'Portugal' });
    await portugal.getByLabel('Add to stock').fill('7');
    await portugal.getByLabel('Price in').fill('15.25');
    await admin.page.getByRole('button', { name: 'Save' }).click();
    await admin.page.getByText('Amber Ferryman is changed').waitFor();
    const after = await storefront.strains.list({ search: 'Amber Ferryman', countryCode: 'PRT' });
    expect(after.strains[0]).toMatchObject({ stockQuantity: stock + 7, retailPrice: 15.25 });
    await admin.visit('/admin/audit?subject=STRAIN');
    await admin.page.getByText('Strain changed').first().click();
    await admin.page
      .getByText(String(stock + 7))
      .first()
      .waitFor();
  });

  it('goes anywhere by keyboard with the command palette', async () => {
    await holder.visit('/');
    await holder.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await holder.page.keyboard.press('Control+k');
    await holder.page.getByRole('combobox', { name: 'Search pages, orders and clients' }).waitFor();
    await holder.page.keyboard.type('catal');
    await holder.page.getByRole('option', { name: 'Catalogue' }).waitFor();
    await holder.page.keyboard.press('Enter');
    await holder.page.waitForURL('**/console/catalogue');
    await holder.page.keyboard.press('Control+k');
    await holder.page.getByRole('combobox', { name: 'Search pages, orders and clients' }).waitFor();
    await holder.page.keyboard.type('ada.console');
    await holder.page
      .getByRole('option', { name: /Ada Console/ })
      .first()
      .waitFor();
  });

  it('switches the primary digital key in all tabs', async () => {
    await holder.visit('/');
    const otherTab = await holder.context.newPage();
    await otherTab.goto(`${service.origin}/console/orders`);
    const newest = otherTab.getByRole('cell').getByText('KF-').first();
    const invoice = await newest.innerText();
    const [first] = service.demo.holders;
    const other = first.tokenIds.find((tokenId) => tokenId !== first.primaryTokenId);
    await holder.page.getByRole('button', { name: /Primary digital key/ }).click();
    await holder.page.getByRole('menuitem', { name: `#${other}` }).click();
    for (const page of [holder.page, otherTab]) {
      await page.getByRole('button', { name: new RegExp(`#${other}`) }).waitFor();
      await page.getByText(`Digital key ${other} is now the primary one`).waitFor();
    }
    // Both digital keys have orders.
    await expect.poll(() => newest.innerText()).not.toBe(invoice);
    await otherTab.close();
  });

  it('sends any request from the explorer, and shows what comes back', async () => {
    await holder.visit('/explorer?operation=getOrder');
    await holder.page.getByText('orderId is part of the address').waitFor();
    await holder.page.getByLabel('orderId').fill('019a8f3e-7c00-7000-8000-000000000301');
    holder.expectRefusal(404);
    await holder.page.getByRole('button', { name: 'Send GET' }).click();
    await holder.page.getByText('"RESOURCE_NOT_FOUND"').waitFor();
    await holder.page.getByRole('tab', { name: 'Signed payload' }).click();
    await holder.page.getByText(/^SHA-256 [0-9a-f]{64}$/).waitFor();
  });

  it('moves nothing in the explorer when a field is left for the button that sends', async () => {
    const { page } = holder;
    await holder.visit('/explorer?operation=createClient');
    await page
      .getByLabel('medicalRecord')
      .fill('{"allergies":["pollen"],"notes":"none","height":{"cm":180}}');
    const button = page.getByRole('button', { name: 'Send POST' });
    await button.scrollIntoViewIfNeeded();
    const before = await button.boundingBox();
    await page.getByLabel('medicalRecord').blur();
    expect(await button.boundingBox()).toEqual(before);
  });

  it('sends filters that may be empty, explains a 401, and says what it cannot send', async () => {
    const { page } = holder;
    const token: string = await page.evaluate('JSON.parse(localStorage["keyfront.session"]).token');
    await holder.visit('/explorer?operation=exportOrders');
    await page.getByRole('button', { name: 'Send GET' }).click();
    const status = page.getByText('200', { exact: true });
    await status.waitFor();
    // In sight, although the button stands at the end of a long form.
    await expect.poll(async () => (await status.boundingBox())?.y).toBeLessThan(880);
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText('authorization: Bearer <the token of your session>').waitFor();
    expect(await page.content()).not.toContain(token);

    // A request that has lost its credentials on the way.
    await page.route('**/api/v1/dapp/orders*', (route) => {
      const { authorization: _authorization, ...headers } = route.request().headers();
      return route.continue({ headers });
    });
    await holder.visit('/explorer?operation=listOrders');
    holder.expectRefusal(401);
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByText(/^Why: .*x-auth-apikey/).waitFor();
    const link = page.getByRole('link', { name: 'What CREDENTIALS_MISSING means' });
    expect(await link.getAttribute('href')).toBe('/docs/guides/errors#CREDENTIALS_MISSING');
    await page.unrouteAll();

    await holder.visit('/explorer?operation=reportKyc');
    await page.getByText('only a provider has the secret').waitFor();
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  });

  it('ends the session on the service when the visitor signs out', async () => {
    const token: string = await holder.page.evaluate('JSON.parse(localStorage["keyfront.session"]).token');
    const session = new Keyfront({ baseUrl: service.origin, token, maxAttempts: 1 });
    await session.holder.me();
    await holder.page.getByRole('button', { name: /^Account/ }).click();
    await holder.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await holder.page.waitForURL('**/console/sign-in**');
    await expect
      .poll(() =>
        session.holder.me().then(
          () => 'accepted',
          () => 'refused',
        ),
      )
      .toBe('refused');
    expect(await holder.page.evaluate('localStorage["keyfront.session"]')).toBeUndefined();
  });
});
