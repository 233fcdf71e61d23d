import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
import { filterChip } from '../support/console-filters.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the holders in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let admin: Visitor;
  let tokenId: number;
  let walletAddress: string;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
    const [{ apiKey, secretKey }] = service.demo.holders;
    const holder = await new Keyfront({ baseUrl: service.origin, apiKey, secretKey }).holder.me();
    ({ walletAddress } = holder);
    tokenId = holder.primaryNft?.tokenId ?? 0;
    admin = await browser.signIn('Administrator');
  });
  afterEach(() => admin.expectNoComplaints());

  it('are found by digital key and by wallet, with the search in the URL', async () => {
    const { page } = admin;
    await admin.visit('/admin/holders');
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    for (const search of [`#${tokenId}`, walletAddress]) {
      await page.getByLabel('Search').fill(search);
      await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(search);
      await expect.poll(() => rows.count()).toBe(1);
      await rows.getByTitle(walletAddress).waitFor();
    }
    await page.getByLabel('Search').fill('<img onerror>');
    await page.getByRole('heading', { name: 'No holder matches' }).waitFor();
    // Above the list, and where its rows would be.
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    expect(new URL(page.url()).search).toBe('');
  });

  it('lead to the orders and clients of each digital key', async () => {
    const { page } = admin;
    await admin.visit('/admin/holders');
    await page.getByTitle(walletAddress).click();
    await page.getByText(walletAddress).first().waitFor();
    await page.getByRole('cell', { name: 'Demo key' }).waitFor();
    await page.getByRole('link', { name: new RegExp(`orders of digital key ${tokenId}$`) }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await filterChip(page, `Digital key: ${tokenId}`).waitFor();
    expect(new URL(page.url()).searchParams.get('tokenId')).toBe(`"${tokenId}"`);
    await page.getByText('KF-').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: new RegExp(`clients of digital key ${tokenId}$`) }).click();
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    await page.getByText(`#${tokenId} `).first().waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('are found by the command palette', async () => {
    const { page } = admin;
    await admin.visit('/admin/holders');
    await page.getByTitle(walletAddress).waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search pages, orders, clients and holders' })
      .fill(String(tokenId));
    await page.getByRole('option', { name: new RegExp(`^${walletAddress.slice(0, 6)}`) }).click();
    await page.getByText(walletAddress).first().waitFor();
  });

  it('say why a holder cannot be shown', async () => {
    const { page } = admin;
    admin.expectRefusal(404);
    await admin.visit('/admin/holders/019a8f3e-7c00-7000-8000-00000000dead');
    await page.getByText('There is no such holder').waitFor();
    await page.getByRole('link', { name: 'Holders' }).first().waitFor();
  });
});
