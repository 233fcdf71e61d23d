import { digitalKeyAbi, localChain } from '@keyfront/contracts';
import { createPublicClient, type Hex, http } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleBrowser,
  expectAccessible,
  launchConsoleBrowser,
  type Visitor,
} from '../support/console-browser.ts';
import { type DemoMarket, startDemoMarket, testExplorerUrl } from '../support/demo-market.ts';
import { installWallet } from '../support/injected-wallet.ts';
import { needs } from '../support/requirements.ts';

describe('the marketplace of the console on a chain', needs('Chromium', 'anvil'), () => {
  let market: DemoMarket;
  let browser: ConsoleBrowser;
  let seller: Visitor;
  let buyer: Visitor;
  let sellerKey: number;

  beforeAll(async () => {
    market = await startDemoMarket();
    browser = await launchConsoleBrowser(market.service.consoleUrl);
    const [first, second] = market.service.demo.holders;
    buyer = await signIn(first.walletPrivateKey as Hex);
    seller = await signIn(second.walletPrivateKey as Hex);
    sellerKey = second.primaryTokenId;
  });
  afterAll(async () => {
    await browser?.close();
    await market?.close();
  });

  afterEach(() => {
    seller.expectNoComplaints();
    buyer.expectNoComplaints();
  });

  async function signIn(privateKey: Hex): Promise<Visitor> {
    const visitor = await browser.open();
    const wallet = { name: 'Test Wallet', privateKey, chainId: localChain.id, rpcUrl: market.rpcUrl };
    await installWallet(visitor.context, wallet);
    await visitor.visit('/marketplace');
    await visitor.page.getByRole('button', { name: 'Test Wallet' }).click();
    await visitor.page.getByRole('heading', { name: 'Marketplace' }).waitFor();
    return visitor;
  }

  async function sell(price: string): Promise<void> {
    const { page } = seller;
    await seller.visit('/marketplace');
    await page.getByRole('button', { name: `Sell #${sellerKey}` }).click();
    await page.getByLabel('Price in ETH').fill(price);
    await page.getByRole('button', { name: 'Sign and list' }).click();
    await page.getByText(`Digital key ${sellerKey} is for sale`).waitFor();
  }

  const ownerOf = () =>
    createPublicClient({ chain: localChain, transport: http(market.rpcUrl) }).readContract({
      address: market.contracts.digitalKey,
      abi: digitalKeyAbi,
      functionName: 'ownerOf',
      args: [BigInt(sellerKey)],
    });

  it('lists a digital key and takes it back, on the chain too', async () => {
    await sell('2');
    const { page } = seller;
    await page.getByRole('button', { name: 'Cancel sale' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel sale' }).click();
    await page.getByText('is no longer for sale').waitFor();
    await page.getByRole('tab', { name: 'Transactions' }).click();
    // Both have a transaction on the chain, once the service has read its block.
    for (const row of [`Listed #${sellerKey} 2 ETH`, `Listing cancelled #${sellerKey}`]) {
      const link = page.getByRole('row', { name: row }).first().getByRole('link');
      await expect.poll(() => link.count().then(async (count) => count || page.reload())).toBe(1);
      expect(await link.getAttribute('href')).toMatch(new RegExp(`^${testExplorerUrl}/tx/0x[0-9a-f]{64}$`));
    }
  });

  it('buys it with a transaction of the wallet, and shows it at once', async () => {
    await sell('1.5');
    const { page } = buyer;
    await buyer.visit('/marketplace');
    await page.getByRole('button', { name: `Buy #${sellerKey}` }).click();
    await page.getByText('in one transaction').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Buy for 1.5 ETH' }).click();
    await page.getByText(`Digital key ${sellerKey} is yours`).waitFor();
    expect(await ownerOf()).toBe(market.service.demo.holders[0].walletAddress);
    const link = page.getByRole('row', { name: `Sold #${sellerKey} 1.5 ETH` }).getByRole('link');
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^${testExplorerUrl}/tx/0x[0-9a-f]{64}$`));
    await page.getByRole('button', { name: /Primary digital key/ }).click();
    await page.getByRole('menuitem', { name: `#${sellerKey}` }).waitFor();
  });
});
