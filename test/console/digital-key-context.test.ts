import { afterEach, describe, expect, it } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the digital key that pages are about', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let console: string;
  /** One of each kind of the first digital key, with what its page is called. */
  let resources: { path: string; title: string; list: string; noun: string }[];
  let first: number;
  let other: number;

  useDemoConsole(async (opened) => {
    ({ service, browser } = opened);
    console = `${service.origin}/console`;
    const [owner] = service.demo.holders;
    holder = await browser.signIn(owner.name);
    const keyfront = new Keyfront({ baseUrl: service.origin, token: await holder.readToken() });
    const { nfts } = await keyfront.holder.nfts();
    first = nfts.find(({ isPrimary }) => isPrimary)?.tokenId ?? 0;
    other = nfts.find(({ isPrimary }) => !isPrimary)?.tokenId ?? 0;
    const { orders } = await keyfront.orders.list({ take: 1 });
    const webhook = await keyfront.webhooks.create({
      url: 'http://127.0.0.1:9/own',
      eventTypes: ['order.*'],
    });
    const [order] = orders;
    // Not the newest client, who may have no order yet.
    const client = order?.client;
    resources = [
      { path: `/orders/${order?.id}`, title: order?.invoiceNumber ?? '', list: 'Orders', noun: 'order' },
      {
        path: `/clients/${client?.id}`,
        title: `${client?.firstName} ${client?.lastName}`,
        list: 'Clients',
        noun: 'client',
      },
      { path: `/webhooks/${webhook.id}`, title: webhook.url, list: 'Webhooks', noun: 'webhook' },
    ];
  });
  afterEach(() => holder.expectNoComplaints());

  const switchTo = async ({ page }: Visitor, tokenId: number) => {
    // A browser draws a tab in the background once a second, or not at all.
    await page.bringToFront();
    await page.getByRole('button', { name: /Primary digital key/ }).click();
    await page.getByRole('menuitem', { name: `#${tokenId}` }).click();
    await page.getByRole('button', { name: `Primary digital key #${tokenId}` }).waitFor();
  };

  it('leaves what belongs to the former key for its list, in every tab, and filters by it too', async () => {
    const { page } = holder;
    const otherTab = await holder.context.newPage();
    for (const { path, title, list } of resources) {
      await holder.visit(path);
      await page.getByRole('heading', { name: title }).waitFor();
      await otherTab.goto(`${console}${path}`);
      await otherTab.getByRole('heading', { name: title }).waitFor();
      await switchTo(holder, other);
      for (const tab of [page, otherTab]) {
        await tab.getByRole('heading', { name: list, exact: true }).waitFor();
        expect(tab.url()).toBe(`${console}/${list.toLowerCase()}`);
      }
      await switchTo(holder, first);
    }
    await otherTab.close();
    await page.bringToFront();
    await holder.visit(`/orders?clientId=${resources[1]?.path.split('/').at(-1)}`);
    await page.getByRole('cell').first().waitFor();
    await switchTo(holder, other);
    await page.waitForURL(`${console}/orders`);
    await switchTo(holder, first);
  });

  it('offers to switch at the address of what belongs to another key of the holder', async () => {
    const { page } = holder;
    for (const { path, title, noun } of resources) {
      await switchTo(holder, other);
      holder.expectRefusal(403);
      await holder.visit(path);
      await page.getByText(`This ${noun} belongs to digital key #${first}`).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: `Switch to #${first}` }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('button', { name: `Primary digital key #${first}` }).waitFor();
      expect(page.url()).toBe(`${console}${path}`);
    }
  });

  it('says nothing of what belongs to somebody else, and nothing raw of an address that is none', async () => {
    const stranger = await browser.signIn(service.demo.holders[1].name);
    const nowhere = [
      ...resources,
      ...resources.map((each) => ({ ...each, path: each.path.replace(/[^/]*$/, crypto.randomUUID()) })),
      ...resources.map((each) => ({ ...each, path: each.path.replace(/[^/]*$/, 'not-an-id') })),
    ];
    for (const status of [400, 403, 404]) stranger.expectRefusal(status);
    for (const { path, noun } of nowhere) {
      await stranger.visit(path);
      await stranger.page.getByText(`There is no such ${noun}`).waitFor();
      const text = await stranger.page.getByRole('main').innerText();
      expect(text).not.toMatch(/Switch|UUID|belongs|#/);
    }
    stranger.expectNoComplaints();
    await stranger.close();
  });
});
