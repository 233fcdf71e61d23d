import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/console-browser.ts';
import { needs } from '../support/requirements.ts';
import { launchShopBrowser, type ShopBrowser } from '../support/shop-browser.ts';
import { openShop, type Shop } from '../support/storefront-shop.ts';

describe('the catalogue and the cart of the storefront', needs('Chromium'), () => {
  let shop: Shop;
  let browser: ShopBrowser;

  beforeAll(async () => {
    shop = await openShop();
    browser = await launchShopBrowser(shop);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  const countOf = async (query: object) =>
    (await shop.holder.strains.list({ take: 1, ...query })).pageMetaDto.itemCount;

  it('shows what is sold in the chosen country, at its prices', async () => {
    const page = await browser.open();
    await page.goto(shop.url);
    await page.getByText(`${await countOf({ countryCode: 'PRT' })} strains`).waitFor();
    await page.getByLabel('Ship to').selectOption({ label: 'South Africa' });
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByText(`${await countOf({ countryCode: 'ZAF' })} strains`).waitFor();
    expect(await page.locator('.card .price').first().textContent()).toMatch(/^ZAR\s[\d.]+$|^Sold out$/);
    const picture = page.locator('.card img').first();
    await expect
      .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(0);
    await expectAccessible(page);
    browser.expectNoComplaints();
  });

  it('filters by facets, searches and sorts', async () => {
    const page = await browser.open({ colorScheme: 'dark' });
    await page.goto(shop.url);
    await page.getByRole('checkbox', { name: /^sativa/ }).check();
    await page.getByText(`${await countOf({ countryCode: 'PRT', type: 'SATIVA' })} strains`).waitFor();
    await page.getByLabel('Sort by').selectOption({ label: 'Price, highest first' });
    await page.waitForURL(/sort=retailPrice/);
    const expected = await shop.holder.strains.list({
      ...{ countryCode: 'PRT', type: 'SATIVA', orderBy: 'retailPrice:desc', take: 1 },
    });
    await page
      .locator('.card h2')
      .first()
      .getByText(expected.strains[0]?.name ?? '')
      .waitFor();
    await page.getByLabel('Search').fill('no such strain');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await expectAccessible(page);
    browser.expectNoComplaints();
  });

  it('goes from page to page with the filters', async () => {
    const page = await browser.open({ colorScheme: 'dark', viewport: { width: 360, height: 800 } });
    await page.goto(`${shop.url}/?sort=name:asc`);
    await expectAccessible(page);
    const first = await page.locator('.card h2').first().textContent();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of').waitFor();
    expect(await page.locator('.card h2').first().textContent()).not.toBe(first);
    browser.expectNoComplaints();
  });

  it.each([true, false])(
    'shows the goods first on a phone, with the choices folded: JavaScript %s',
    async (javaScriptEnabled) => {
      const page = await browser.open({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
      await page.goto(shop.url);
      const choices = page.getByText('Sort and filter');
      const sativa = page.getByRole('checkbox', { name: /^sativa/ });
      expect(await sativa.isVisible()).toBe(false);
      // In the first screen, without scrolling.
      const card = await page.locator('.card').first().boundingBox();
      expect(card?.y).toBeLessThan(844 - 200);
      await choices.click();
      await sativa.check();
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Sort and filter (1)').waitFor();
      await page.getByText(`${await countOf({ countryCode: 'PRT', type: 'SATIVA' })} strains`).waitFor();
      // It stays open while people choose.
      if (javaScriptEnabled) expect(await sativa.isVisible()).toBe(true);
      if (javaScriptEnabled) await expectAccessible(page);
      browser.expectNoComplaints();
    },
  );

  it('works without JavaScript up to the cart', async () => {
    const page = await browser.open({ javaScriptEnabled: false });
    await page.goto(shop.url);
    await page.getByLabel('Ship to').selectOption({ label: 'Germany' });
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByText(`${await countOf({ countryCode: 'DEU' })} strains`).waitFor();
    await page.getByRole('checkbox', { name: /^sativa/ }).check();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText(`${await countOf({ countryCode: 'DEU', type: 'SATIVA' })} strains`).waitFor();
    await page.locator('.card').filter({ hasNotText: 'Sold out' }).getByRole('link').first().click();
    const name = await page.getByRole('heading', { level: 1 }).textContent();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: name ?? '' }).waitFor();
    await page.getByLabel(`Quantity of ${name}`).fill('3');
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByRole('link', { name: 'Cart (3)' }).waitFor();
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByText('Your cart is empty').waitFor();
  });

  it('tells what of the cart cannot be ordered in another country, and how many fit', async () => {
    const page = await browser.open();
    const { strains } = await shop.holder.strains.list({ countryCode: 'PRT', take: 100 });
    const strain = strains.find(
      ({ isAvailable, countryCodes }) => isAvailable && !countryCodes.includes('THA'),
    );
    await page.goto(`${shop.url}/strains/${strain?.id}`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('heading', { name: 'Cart' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Ship to').selectOption({ label: 'Thailand' });
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Not sold in your country').waitFor();
    browser.expectNoComplaints();
    const refused = await page.request.post(`${shop.url}/cart`, {
      form: { intent: 'set', strainId: strain?.id ?? '', quantity: '100' },
      headers: { origin: shop.url },
    });
    expect([refused.status(), await refused.text()]).toEqual([400, expect.stringContaining('At most 99')]);
  });

  it('says what is missing and never leads to another site', async () => {
    const page = await browser.open();
    const missing = await page.goto(`${shop.url}/strains/00000000-0000-7000-8000-000000000000`);
    expect(missing?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await expectAccessible(page);
    for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const response = await page.request.post(`${shop.url}/country`, {
        ...{ form: { country: 'PRT', returnTo }, maxRedirects: 0, headers: { origin: shop.url } },
      });
      expect(response.headers().location).toBe('/');
    }
    expect(await browser.expectNoSecrets()).toBeGreaterThan(10);
  });

  it('says that it will be back while the service is away', async () => {
    const page = await browser.open();
    await shop.killService();
    const away = await page.goto(shop.url);
    expect(away?.status()).toBe(503);
    await page.getByRole('heading', { name: 'We will be back in a moment' }).waitFor();
    await shop.startService();
    await page.getByRole('link', { name: 'To the catalogue' }).click();
    await page.getByRole('heading', { name: 'Catalogue' }).waitFor();
  });
});
