import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Device, type MeasuredBrowser, openMeasuredBrowser } from '../support/lighthouse.ts';
import { needs } from '../support/requirements.ts';
import { openShop, type Shop } from '../support/storefront-shop.ts';

const minPerformance = 95;
const timeoutMs = 1_200_000;

describe('the storefront, measured by Lighthouse', needs('Chromium'), () => {
  let shop: Shop;
  let browser: MeasuredBrowser;

  beforeAll(async () => {
    shop = await openShop();
    browser = openMeasuredBrowser();
  });
  afterAll(async () => {
    browser?.close();
    await shop?.close();
  });

  const devices: readonly Device[] = ['desktop', 'mobile'];

  it.each(devices)(
    'has a fast catalogue, and a fast page of a strain: %s',
    { timeout: timeoutMs },
    async (device) => {
      const { strains } = await shop.holder.strains.list({ countryCode: 'PRT', take: 1 });
      for (const path of ['/', `/strains/${strains[0]?.id}`]) {
        const { scores, summary } = await browser.measureMedian(shop.url + path, device, minPerformance);
        expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
        expect(scores.performance, summary).toBeGreaterThanOrEqual(minPerformance);
      }
    },
  );
});
