import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Device,
  type MeasuredBrowser,
  type Measurement,
  openMeasuredBrowser,
} from '../support/lighthouse.ts';
import { needs } from '../support/requirements.ts';
import { openShop, type Shop } from '../support/storefront-shop.ts';

const minPerformance = 95;
/** A slow measurement on a machine that is busy with other work says nothing. */
const maxAttempts = 8;
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

  async function measure(path: string, device: Device): Promise<Measurement> {
    for (let attempt = 1; ; attempt += 1) {
      const measurement = await browser.measure(shop.url + path, device);
      console.info(`${path} on ${device}: ${measurement.summary}`);
      if (measurement.scores.performance >= minPerformance || attempt === maxAttempts) return measurement;
    }
  }

  const devices: readonly Device[] = ['desktop', 'mobile'];

  it.each(devices)(
    'has a fast catalogue, and a fast page of a strain: %s',
    { timeout: timeoutMs },
    async (device) => {
      const { strains } = await shop.holder.strains.list({ countryCode: 'PRT', take: 1 });
      for (const path of ['/', `/strains/${strains[0]?.id}`]) {
        const { scores } = await measure(path, device);
        expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
        expect(scores.performance).toBeGreaterThanOrEqual(minPerformance);
      }
    },
  );
});
