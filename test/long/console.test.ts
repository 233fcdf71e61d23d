import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleBrowser,
  expectAccessible,
  launchConsoleBrowser,
  type Visitor,
} from '../support/console-browser.ts';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { installWallet } from '../support/injected-wallet.ts';
import { needs } from '../support/requirements.ts';

/** What the overview may load, compressed with gzip. */
const maxScriptBytes = 200_000;

describe('the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await startDemoService();
    browser = await launchConsoleBrowser(service.consoleUrl);
    visitor = await browser.open();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  afterEach(() => visitor.expectNoComplaints());

  it('offers no demo wallet without the link, says where the link is, and offers them after one click on it', async () => {
    const { page } = visitor;
    await visitor.context.clearCookies();
    await visitor.visit('/');
    await page.waitForURL('**/console/sign-in');
    await page.getByText('Open the link that the service printed').waitFor();
    expect(await page.getByRole('button', { name: 'Administrator' }).count()).toBe(0);
    await expectAccessible(page);
    visitor.expectNoComplaints();
    await page.goto(service.consoleUrl);
    await page.getByRole('button', { name: 'Administrator' }).waitFor();
    expect(page.url()).toBe(`${service.origin}/console/sign-in`);
    expect(await page.evaluate('document.cookie')).toBe('');
    await expectAccessible(page);
  });

  it('signs in with a demo wallet and shows the overview', async () => {
    const { page } = visitor;
    await visitor.visit('/');
    await page.waitForURL('**/console/sign-in');
    await visitor.signInAs(service.demo.holders[0].name);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('slider', { name: 'Revenue by time' }).waitFor();
    await expectAccessible(page);
  });

  it(`loads at most ${maxScriptBytes / 1000} kB of scripts for the overview`, async () => {
    const { page } = visitor;
    await visitor.visit('/');
    await page.getByRole('slider', { name: 'Revenue by time' }).waitFor();
    const scripts: string[] = await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
    );
    let bytes = 0;
    for (const url of scripts) {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      bytes += Number(headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(maxScriptBytes);
  });

  it('lists orders by the filters of the URL, and shows one', async () => {
    const { page } = visitor;
    await visitor.visit('/orders?status=SHIPPED&orderBy=totalAmount:desc');
    await page.getByRole('cell', { name: /^Sent/ }).first().waitFor();
    const states = await page.locator('tbody td:nth-child(3)').allInnerTexts();
    expect(states.filter((state) => !state.startsWith('Sent'))).toEqual([]);
    const invoice = await page.locator('tbody a').first().innerText();
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: invoice }).waitFor();
    await page.getByText('Placed', { exact: true }).waitFor();
  });

  it('signs in with an installed wallet, and says why it may not', async () => {
    const [holder] = service.demo.holders;
    const other = await browser.open();
    await installWallet(other.context, {
      name: 'Test Wallet',
      privateKey: holder.walletPrivateKey as `0x${string}`,
    });
    await other.visit('/orders?status=PENDING');
    await other.page.getByText('Administrator', { exact: true }).first().click();
    other.expectRefusal(403);
    await other.page.getByRole('button', { name: 'Test Wallet' }).click();
    await other.page.getByText('The sign-in has failed').waitFor();
    await other.page.getByText('Holder', { exact: true }).first().click();
    await other.page.getByRole('button', { name: 'Test Wallet' }).click();
    await other.page.waitForURL('**/console/orders?status=PENDING');
    other.expectNoComplaints();
    await other.close();
  });

  it('asks to sign in again after a sign-out', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/console/sign-in**');
    expect(await page.evaluate('localStorage.getItem("keyfront.session")')).toBeNull();
  });
});
