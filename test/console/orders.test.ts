import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront, type Order } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the money and the parcels of orders in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let admin: Visitor;
  let storefront: Keyfront;
  let platform: Keyfront;
  /** Of the client who orders. */
  let countryCode: string;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [first] = service.demo.holders;
    holder = await browser.signIn(first.name);
    admin = await browser.signIn('Administrator');
    platform = new Keyfront({ baseUrl: service.origin, token: await admin.readToken() });
    const { shipping } = await storefront.clients.get(first.clientIds.ready);
    countryCode = shipping.countryCode;
    const [strain] = (await storefront.strains.list({ countryCode, take: 1 })).strains;
    const currency = strain?.currency ?? '';
    await platform.admin.deliveryCharges.set({ countryCode, currency, deliveryCharge: '5.00', taxRate: 23 });
  });
  afterEach(() => {
    holder.expectNoComplaints();
    admin.expectNoComplaints();
  });

  /** An order of two lines, with three units of the first and one of the second. */
  async function placeOrder(fields: object = {}): Promise<Order> {
    const { ready: clientId } = service.demo.holders[0].clientIds;
    const { strains } = await storefront.strains.list({ countryCode, isAvailable: 'true', take: 50 });
    const [one, other] = strains.filter(({ stockQuantity }) => stockQuantity > 20);
    const items = [
      { strainId: one?.id ?? '', quantity: 3 },
      { strainId: other?.id ?? '', quantity: 1 },
    ];
    return storefront.orders.create({ clientId, items, ...fields });
  }
  const pay = ({ id }: Order) =>
    platform.admin.orders.update(id, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
  const format = (amount: number, currency: string) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
      amount,
    );

  it('sends an order in two parcels and corrects one, which the holder follows', async () => {
    const order = await placeOrder({
      externalReference: 'shop-4711',
      metadata: { campaign: 'spring', 'gift-wrap': 'yes' },
    });
    const { page } = admin;
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    await page.getByRole('link', { name: order.invoiceNumber }).click();
    await page.getByRole('heading', { name: order.invoiceNumber }).waitFor();
    await page.getByText('gift-wrap').waitFor();
    // Neither a parcel nor a refund before there is something to send or to give back.
    expect(await page.getByRole('button', { name: 'Send a parcel' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Refund…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Send a parcel' }).click();
    const dialog = page.getByRole('dialog');
    const quantities = dialog.getByLabel(/^Units of/);
    expect(
      await quantities.evaluateAll((inputs) =>
        inputs.map((input) => (input as never as { value: string }).value),
      ),
    ).toEqual(['3', '1']);
    await quantities.first().fill('4');
    expect(await dialog.getByRole('button', { name: 'Send parcel' }).isDisabled()).toBe(true);
    await quantities.first().fill('1');
    await quantities.last().fill('0');
    await dialog.getByLabel('Carrier').fill('CTT Expresso');
    await dialog.getByLabel('Tracking link').fill('not a link');
    admin.expectRefusal(400);
    await dialog.getByRole('button', { name: 'Send parcel' }).click();
    await dialog.getByText(/^Must/).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Tracking link').fill('https://carrier.example/track/1');
    await dialog.getByLabel('Tracking number').fill('EA1');
    await dialog.getByRole('button', { name: 'Send parcel' }).click();
    await page.getByRole('button', { name: 'Order processing' }).waitFor();
    await page.getByRole('link', { name: 'EA1' }).waitFor();

    await holder.visit(`/orders/${order.id}`);
    const shipments = holder.page.getByRole('region', { name: 'Shipments' });
    const link = shipments.getByRole('link', { name: 'EA1' });
    expect(await link.getAttribute('href')).toBe('https://carrier.example/track/1');
    await holder.page.getByText('shop-4711').waitFor();

    await page.getByRole('button', { name: 'Correct the shipment with CTT Expresso' }).click();
    await dialog.getByLabel('Tracking number').fill('EA2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // Without being loaded again.
    await shipments.getByRole('link', { name: 'EA2' }).waitFor();
    await page.getByRole('button', { name: 'Send a parcel' }).click();
    await dialog.getByLabel('Carrier').fill('DHL');
    await dialog.getByRole('button', { name: 'Send parcel' }).click();
    await page.getByText('Order shipped').first().waitFor();
    expect(await page.getByRole('button', { name: 'Send a parcel' }).count()).toBe(0);
    await expectAccessible(page);
    await expectAccessible(holder.page);
    const { shipments: sent } = await storefront.orders.get(order.id);
    expect(
      sent.map(({ carrier, orderLines }) => [carrier, orderLines.map(({ quantity }) => quantity)]),
    ).toEqual([
      ['CTT Expresso', [1]],
      ['DHL', [2, 1]],
    ]);
  });

  it('refunds units and then the rest, each only after the amount is typed once more', async () => {
    const order = await placeOrder();
    const { page } = admin;
    await pay(order);
    const [line] = (await storefront.orders.get(order.id)).orderLines;
    const part = (line?.productAmount ?? 0) * 2;
    await admin.visit(`/admin/orders/${order.id}`);
    // The menu of the payment leads to no refund.
    await page.getByText('Paid', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Paid/ }).count()).toBe(0);
    const refunds: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/refunds')) refunds.push(request.url());
    });
    await page.getByRole('button', { name: 'Refund…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Units', { exact: true }).click();
    await dialog
      .getByLabel(/^Units of/)
      .first()
      .fill('2');
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Two jars arrived broken.');
    await dialog.getByLabel('The units come back to the stock').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const confirm = dialog.getByRole('button', { name: `Refund ${format(part, order.currency)}` });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type/).fill(String(part + 1));
    await dialog.getByLabel(/^Type/).press('Enter');
    expect(await confirm.isDisabled()).toBe(true);
    expect(refunds).toEqual([]);
    await expectAccessible(page);
    await dialog.getByLabel(/^Type/).fill(part.toFixed(2));
    await confirm.dblclick();
    await page.getByText('2 units, back in stock').waitFor();
    expect(refunds).toHaveLength(1);
    expect(await storefront.orders.get(order.id)).toMatchObject({
      paymentStatus: 'PAID',
      refundedAmount: part,
    });

    const rest = order.totalAmount - part;
    await page.getByRole('button', { name: 'Refund…' }).click();
    await dialog.getByLabel('Reason').fill('The customer has changed their mind.');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByLabel(/^Type/).fill(rest.toFixed(2));
    await dialog.getByRole('button', { name: `Refund ${format(rest, order.currency)}` }).click();
    await page.getByText('Refunded', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Refund…' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    expect((await storefront.orders.get(order.id)).refundedAmount).toBe(order.totalAmount);
  });

  it('lists a payment for a cancelled order among what waits, until it is refunded', async () => {
    const order = await placeOrder();
    await storefront.orders.cancel(order.id);
    await platform.admin.orders.update(order.id, { paymentStatus: 'PAID' });
    await holder.visit('/');
    await holder.page.getByRole('link', { name: /waits? for a refund/ }).click();
    await holder.page.getByRole('cell').getByRole('link', { name: order.invoiceNumber }).click();
    await holder.page.getByText('Refund due').first().waitFor();

    const { page } = admin;
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await page.getByText(order.invoiceNumber).count()).toBe(0);
    await page.getByRole('link', { name: /^Refunds due/ }).click();
    await page.getByRole('link', { name: order.invoiceNumber }).click();
    // A cancelled order can be neither decided nor sent.
    await page.getByRole('button', { name: 'Refund…' }).waitFor();
    for (const name of ['Approve', 'Reject', 'Send a parcel']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Refund…' }).click();
    const dialog = page.getByRole('dialog');
    // Its stock is back already.
    expect(await dialog.getByLabel('The units come back to the stock').count()).toBe(0);
    await dialog.getByLabel('Reason').fill('Paid after the cancellation');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByLabel(/^Type/).fill(order.totalAmount.toFixed(2));
    await dialog.getByRole('button', { name: /^Refund/ }).click();
    await page.getByText('Refunded', { exact: true }).first().waitFor();
    expect((await storefront.orders.get(order.id)).refundDue).toBe(0);
    await page.getByRole('link', { name: 'Refunds due' }).click();
    await page.getByText('Nothing is to be refunded').waitFor();
  });

  it('decides about many orders with one request, and lists what was refused and why', async () => {
    const orders = await Promise.all([1, 2, 3].map(() => placeOrder()));
    const { page } = admin;
    await admin.visit('/admin/orders?status=PENDING&adminApproval=PENDING');
    for (const { invoiceNumber } of orders) await page.getByLabel(`Mark ${invoiceNumber}`).check();
    // What the page shows is a moment old when the service decides.
    let release = () => {};
    const decided = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/admin/orders?*', async (route) => {
      await decided;
      await route.continue().catch(() => undefined);
    });
    const [first, ...others] = orders;
    await storefront.orders.cancel(first?.id ?? '');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.getByRole('button', { name: 'Approve 3' }).click();
    const notice = page.getByRole('alert').filter({ hasText: '1 order not decided' });
    await notice.getByText(`${first?.invoiceNumber}: A cancelled order cannot be decided`).waitFor();
    await page.getByText('2 orders approved').waitFor();
    release();
    await expectAccessible(page);
    expect(requests).toEqual(['POST /api/v1/admin/orders/decisions']);
    for (const { id } of others) expect((await storefront.orders.get(id)).adminApproval).toBe('VERIFIED');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('opens the invoice in a tab, which prints on one page and runs nothing', async () => {
    const order = await placeOrder({ externalReference: 'shop-4712' });
    await pay(order);
    await holder.visit(`/orders/${order.id}`);
    await holder.page.getByText(/^Includes 23% tax/).waitFor();
    const [tab] = await Promise.all([
      holder.context.waitForEvent('page'),
      holder.page.getByRole('button', { name: 'Invoice' }).click(),
    ]);
    const complaints: string[] = [];
    tab.on('console', (message) => complaints.push(message.text()));
    await tab.getByRole('heading', { name: 'Invoice' }).waitFor();
    expect(await tab.title()).toBe(`Invoice ${order.invoiceNumber}`);
    expect(await tab.getByText('shop-4712').count()).toBe(1);
    expect(await tab.evaluate('window.opener')).toBe(null);
    // Its own style applies, and neither another one nor a script does.
    expect(await tab.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('768px');
    await tab.evaluate(`{
      const style = document.head.appendChild(document.createElement('style'));
      style.textContent = 'main { max-width: 1px }';
    }`);
    expect(await tab.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('768px');
    const pdf = (await tab.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(complaints.filter((text) => !text.includes('style-src'))).toEqual([]);
    // It can be loaded again for as long as the console is open.
    await tab.reload();
    await tab.getByRole('heading', { name: 'Invoice' }).waitFor();
    await tab.close();
  });

  it('opens invoice and packing slip of an order of the platform', async () => {
    const order = await placeOrder();
    await admin.visit(`/admin/orders/${order.id}`);
    for (const name of ['Invoice', 'Packing slip']) {
      const [tab] = await Promise.all([
        admin.context.waitForEvent('page'),
        admin.page.getByRole('button', { name }).click(),
      ]);
      await tab.getByRole('heading', { name }).waitFor();
      expect(await tab.title()).toBe(`${name} ${order.invoiceNumber}`);
      await tab.close();
    }
  });

  it('asks before it discards what was filled in, when somebody clicks beside a dialog or presses Escape', async () => {
    const { page } = admin;
    const dialog = page.getByRole('dialog');
    const clickBeside = () => page.mouse.click(5, 5);
    const pressEscape = () => page.keyboard.press('Escape');
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    /** Leaves in each way, and stays. */
    const stay = async (field: string | RegExp, value: string) => {
      for (const leave of [clickBeside, pressEscape]) {
        await dialog.getByLabel(field).first().fill(value);
        await leave();
        await dialog.getByText('Discard what you have entered?').waitFor();
        await page.keyboard.press('Enter');
        await dialog.getByText('Discard what you have entered?').waitFor({ state: 'detached' });
        expect(await dialog.getByLabel(field).first().inputValue()).toBe(value);
        // Where somebody goes on.
        await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(value);
      }
    };
    const order = await placeOrder();
    await admin.visit(`/admin/orders/${order.id}`);
    await page.getByRole('button', { name: 'Reject' }).click();
    await stay('Note', 'No document');
    await pressEscape();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await pay(order);
    await page.reload();
    await page.getByRole('button', { name: 'Refund…' }).click();
    await stay('Reason', 'Broken');
    // The second step too, although its own field is empty.
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByLabel(/^Type/).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.inputMode')).toBe('decimal');
    await stay(/^Type/, '1');
    await dialog.getByLabel(/^Type/).fill('');
    await pressEscape();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByLabel(/^Type/).waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Broken');
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('radio');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send a parcel' }).click();
    await stay(/^Units of/, '1');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Nothing was filled in.
    for (const leave of [clickBeside, pressEscape]) {
      await page.getByRole('button', { name: 'Refund…' }).click();
      await dialog.waitFor();
      await leave();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(changes).toEqual([]);
  });

  it('says of a link to an archived client that there is no such client', async () => {
    const { id } = await storefront.clients.create({
      firstName: 'Gone',
      lastName: 'Away',
      email: 'gone@example.org',
      shipping: { address1: 'Rua Nova 1', city: 'Lisboa', countryCode: 'PRT' },
    });
    await storefront.clients.archive(id);
    for (const [visitor, path] of [
      [holder, `/clients/${id}`],
      [admin, `/admin/clients/${id}`],
    ] as const) {
      visitor.expectRefusal(404);
      await visitor.visit(path);
      await visitor.page.getByRole('heading', { name: 'There is no such client' }).waitFor();
      expect(await visitor.page.getByText('could not be loaded').count()).toBe(0);
    }
  });
});
