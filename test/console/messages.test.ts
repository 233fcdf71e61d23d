import { describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { installWallet } from '../support/injected-wallet.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('what the console says when something is not as it should be', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
  });

  const keyOfHolder = () => service.demo.holders[0].walletPrivateKey as `0x${string}`;

  it('signs in with a wallet that does not announce itself, and offers none where there is none', async () => {
    const [{ walletAddress }] = service.demo.holders;
    const privateKey = keyOfHolder();
    const visitor = await browser.open();
    const { page, context } = visitor;
    await visitor.visit('/sign-in');
    await page.getByText('No wallet was found in this browser').waitFor();
    await installWallet(context, { name: 'Silent', privateKey, isAnnounced: false });
    await page.reload();
    await page.getByRole('button', { name: 'Browser wallet' }).click();
    await page.getByRole('button', { name: `Account ${walletAddress.slice(0, 6)}` }).waitFor();
    visitor.expectNoComplaints();
    await visitor.close();

    // One that does both is one wallet.
    const both = await browser.open();
    await installWallet(both.context, { name: 'Loud', privateKey });
    await both.context.addInitScript(`addEventListener('eip6963:announceProvider', ({ detail }) => {
      window.ethereum = detail.provider;
    })`);
    await both.visit('/sign-in');
    await both.page.getByRole('button', { name: 'Loud' }).waitFor();
    expect(await both.page.getByRole('button', { name: 'Browser wallet' }).count()).toBe(0);
    await both.close();
  });

  it.each([
    [{ code: 4001, message: 'MetaMask: User denied' }, 'You have refused the request in your wallet.'],
    [{ code: -32_603, message: 'Internal JSON-RPC error' }, 'Your wallet has reported an error'],
  ])('says in its own words what a wallet or a library reports: %o', async (refusal, sentence) => {
    const visitor = await browser.open();
    await installWallet(visitor.context, { name: 'Stubborn', privateKey: keyOfHolder(), refusal });
    await visitor.visit('/sign-in');
    await visitor.page.getByRole('button', { name: 'Stubborn' }).click();
    await visitor.page.getByText(sentence).waitFor();
    expect(await visitor.page.getByRole('main').innerText()).not.toMatch(/viem|wagmi|Version|RPC|denied/i);
    await visitor.close();
  });

  it('marks what it shows as old while the service is away, and loads it again afterwards', async () => {
    const [{ name, apiKey, secretKey, clientIds }] = service.demo.holders;
    const storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    const visitor = await browser.signIn(name);
    const { page, context } = visitor;
    await visitor.visit(`/clients/${clientIds.ready}`);
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const notice = page.getByText('The service has not answered since');
    expect(await notice.count()).toBe(0);
    await context.setOffline(true);
    await notice.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await storefront.clients.update(clientIds.ready, { externalReference: 'changed while it was away' });
    await context.setOffline(false);
    await page.getByText('changed while it was away').waitFor();
    await notice.waitFor({ state: 'detached' });
    await visitor.close();

    // The browser has a connection, but nothing answers.
    const admin = await browser.signIn('Administrator');
    await admin.visit('/admin/orders');
    await admin.page.getByText('KF-').first().waitFor();
    await admin.context.route('**/api/**', (route) => route.abort());
    const adminNotice = admin.page.getByText('The service has not answered since');
    await adminNotice.waitFor();
    await admin.page.getByText('KF-').first().waitFor();
    await admin.context.unroute('**/api/**');
    await adminNotice.waitFor({ state: 'detached' });
    await admin.close();
  });
});
