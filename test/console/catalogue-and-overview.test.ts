import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { filterChip, openFilter, setFilter } from '../support/console-filters.ts';
import type { DemoService } from '../support/demo-service.ts';
import { needs } from '../support/requirements.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the catalogue and the overview of a holder in the console', needs('Chromium'), () => {
  let service: DemoService;
  let browser: ConsoleBrowser;
  let holder: Visitor;
  let storefront: Keyfront;

  useDemoConsole(async (opened) => {
    ({ service, browser, storefront } = opened);
    const [first] = service.demo.holders;
    holder = await browser.signIn(first.name);
  });
  afterEach(() => holder.expectNoComplaints());

  const cards = (page: Page) => page.getByRole('main').locator('li:has(strong)');

  it('filters by what the service counts, and keeps the filters in the URL', async () => {
    const { page } = holder;
    await holder.visit('/catalogue');
    const { facets } = await storefront.strains.list({ facets: 'true', take: 1 });
    const [feeling] = facets?.feelings ?? [];
    await setFilter(page, 'Feelings', `${feeling?.value} ${feeling?.count}`);
    await page.getByText(`${feeling?.count} strains`, { exact: true }).waitFor();
    // The counts of a facet are of what the other filters leave.
    const felt = { feelings: feeling?.value ?? '', take: 1 };
    const [kind] = (await storefront.strains.list({ ...felt, facets: 'true' })).facets?.type ?? [];
    const both = { ...felt, type: kind?.value ?? '' };
    await setFilter(page, 'Type', new RegExp(`^${kind?.value} ?${kind?.count}$`, 'i'));
    await page.getByText(`${kind?.count} strains`, { exact: true }).waitFor();
    const thc = await openFilter(page, 'THC in %');
    await thc.getByLabel('from').fill('12,5');
    await page.waitForURL(/thcMin=12\.5/);
    await page.keyboard.press('Escape');
    const { pageMetaDto } = await storefront.strains.list({ ...both, thcMin: 12.5 });
    await page.getByText(`${pageMetaDto.itemCount} strain`).waitFor();
    await expectAccessible(page);
    // As a colleague opens it.
    await page.reload();
    await page.getByText(`${pageMetaDto.itemCount} strain`).waitFor();
    await filterChip(page, 'THC in %: from 12.5').waitFor();
    // Any of several values, by mouse or by keyboard.
    const [, second] = facets?.feelings ?? [];
    await filterChip(page, `Feelings: ${feeling?.value}`).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: second?.value ?? '' })
      .press('Enter');
    await page.waitForURL(new RegExp(`feelings=${feeling?.value}%2C${second?.value}`));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('60 strains').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('filters by price in a country only, and sorts by it', async () => {
    const { page } = holder;
    await holder.visit('/catalogue');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Price' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await setFilter(page, 'Country', 'Germany');
    await setFilter(page, 'Availability', /^Available/);
    const price = await openFilter(page, 'Price');
    await price.getByLabel('to').fill('12');
    await page.waitForURL(/priceMax=12/);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Sorted' }).click();
    await page.getByRole('option', { name: 'Highest price' }).click();
    await page.waitForURL(/orderBy=retailPrice/);
    const { strains } = await storefront.strains.list({
      countryCode: 'DEU',
      isAvailable: 'true',
      priceMax: 12,
      orderBy: 'retailPrice:desc',
      take: 24,
    });
    await expect
      .poll(() => cards(page).locator('bdi:first-child').first().textContent())
      .toBe(strains[0]?.name);
    expect(await cards(page).count()).toBe(strains.length);
    expect(await page.getByText('Out of stock').count()).toBe(0);
    await expectAccessible(page);
    // A link with a price and no country would be refused by the service.
    await holder.visit('/catalogue?priceMax=12');
    await page.getByText('60 strains').waitFor();
  });

  it('tells what cannot be ordered: what is not offered, and what is not in stock', async () => {
    const { page } = holder;
    await holder.visit('/catalogue?isAvailable=false');
    const { strains } = await storefront.strains.list({ isAvailable: 'false', take: 50 });
    for (const { name, isActive } of strains) {
      const card = cards(page).filter({ hasText: name });
      await card.getByText(isActive ? 'Out of stock' : 'Not available').waitFor();
    }
    expect(new Set(strains.map(({ isActive }) => isActive))).toEqual(new Set([true, false]));
  });

  it('shows the revenue of each currency, paid and not', async () => {
    const { page } = holder;
    await holder.visit('/?period=month');
    const { orders } = await storefront.dashboard.summary();
    const [, second] = orders.revenue;
    await page.getByLabel('Currency of the revenue').selectOption(second?.currency ?? '');
    await page.waitForURL(/currency=[A-Z]{3}/);
    await page.getByText(`Revenue is that in ${second?.currency}`).waitFor();
    await page.getByText('12 weeks').click();
    await page.waitForURL(/period=week.*currency|currency.*period=week/);
    await page.reload();
    await page.getByText(`Revenue is that in ${second?.currency}`).waitFor();
    await page.getByText('Paid revenue').waitFor();
    await expectAccessible(page);
  });
});
