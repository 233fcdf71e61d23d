import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Keyfront } from '../../packages/sdk/src/index.ts';
import type { ConsoleBrowser, Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('events in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let storefront: Keyfront;
  let clientId: string;
  let changes = 0;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [{ clientIds, name }] = service.demo.holders;
    clientId = clientIds.ready;
    // More than a page of the list, of more than one type.
    await storefront.sales.create({ clientId });
    for (let change = 0; change < 35; change++) await rename();
    holder = await browser.signIn(name);
  });
  afterEach(() => holder.expectNoComplaints());

  const rename = () => storefront.clients.update(clientId, { lastName: `Renamed-${++changes}` });

  /** Renames the client until one of the events is shown. The stream may begin after the first. */
  async function expectLive(shown: Locator): Promise<void> {
    const earlier = changes;
    await expect
      .poll(async () => {
        await rename();
        const numbers = (await shown.textContent())?.matchAll(/Renamed-(\d+)/g) ?? [];
        return Math.max(...[...numbers].map(([, number]) => Number(number)));
      })
      .toBeGreaterThan(earlier);
  }

  it('are on the overview, newest first, live, with links to what they are about', async () => {
    const { page } = holder;
    await holder.visit('/');
    const panel = page.getByRole('region', { name: 'Latest events' });
    await panel.getByText('Client updated').first().waitFor();
    await expectLive(panel);
    expect(await panel.getByRole('listitem').count()).toBe(6);
    await panel
      .getByRole('link', { name: /Client updated/ })
      .first()
      .click();
    await page.waitForURL(`**/clients/${clientId}`);
  });

  it('are listed newest first, in pages, and new ones on top', async () => {
    const { page } = holder;
    await holder.visit('/events');
    const ids = () => page.locator('summary span').allTextContents();
    await page.getByText('evt_').first().waitFor();
    await expect.poll(async () => (await ids()).length).toBeGreaterThanOrEqual(30);
    const before = (await ids()).length;
    await page.getByText('evt_').last().scrollIntoViewIfNeeded();
    await expect.poll(async () => (await ids()).length).toBeGreaterThan(before);
    await expectLive(page.locator('ul').filter({ hasText: 'evt_' }));
    const all = await ids();
    expect(all).toEqual([...new Set(all)].sort().reverse());
  });

  it('are filtered by types that stand in the URL, also while they arrive', async () => {
    const { page } = holder;
    await storefront.sales.create({ clientId });
    await holder.visit('/events?type=client.updated');
    const types = async () => new Set(await page.locator('summary strong').allTextContents());
    await expect.poll(types).toEqual(new Set(['client.updated']));
    await rename();
    expect(await types()).toEqual(new Set(['client.updated']));
    holder.expectRefusal(400);
    await page.getByLabel('Types').fill('client.exploded');
    await page.getByText('Enter types such as order.created or order.*').waitFor();
    const list = page.getByRole('link', { name: 'the list of types' });
    expect(await list.getAttribute('href')).toBe('/docs/guides/events#types');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await types()).size).toBeGreaterThan(1);
    expect(new URL(page.url()).search).toBe('');
  });

  it('are those of the digital key that was switched to', async () => {
    const { page } = holder;
    await holder.visit('/events?type=client.updated');
    await page.getByText('evt_').first().waitFor();
    const [first, second] = (await storefront.holder.nfts()).nfts.map(({ tokenId }) => `#${tokenId}`);
    const switchTo = async (from: string | undefined, to: string | undefined) => {
      await page.getByRole('button', { name: `Primary digital key ${from}` }).click();
      await page.getByRole('menuitem', { name: to ?? '' }).click();
    };
    await switchTo(first, second);
    await page.getByRole('heading', { name: 'No event matches' }).waitFor();
    await rename();
    await switchTo(second, first);
    await expectLive(page.locator('ul').filter({ hasText: 'evt_' }));
  });
});
