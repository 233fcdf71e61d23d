import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { type Device, type MeasuredBrowser, openMeasuredBrowser } from '../support/lighthouse.ts';
import { needs } from '../support/requirements.ts';

const wanted = 95;
const timeoutMs = 1_200_000;

describe('the console, measured by Lighthouse', needs('Chromium'), () => {
  let service: DemoService;
  let browser: MeasuredBrowser;

  beforeAll(async () => {
    service = await startDemoService();
    browser = openMeasuredBrowser();
    await browser.use((page) => page.goto(service.consoleUrl));
  });
  afterAll(async () => {
    browser?.close();
    await service?.close();
  });

  async function expectGood(path: string, device: Device): Promise<void> {
    const url = `${service.origin}/console${path}`;
    const { scores, finalUrl, requestedUrls } = await browser.measureMedian(url, device, wanted);
    expect(finalUrl).toBe(url);
    expect(requestedUrls.filter((each) => new URL(each).origin !== service.origin)).toEqual([]);
    expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
    expect(scores.performance).toBeGreaterThanOrEqual(wanted);
  }

  const devices: readonly Device[] = ['desktop', 'mobile'];

  it.each(devices)('has a fast page to sign in on: %s', { timeout: timeoutMs }, async (device) => {
    await expectGood('/sign-in', device);
  });

  it('signs in', async () => {
    await browser.use(async (page) => {
      await page.goto(`${service.origin}/console/sign-in`);
      await page.getByRole('button', { name: service.demo.holders[0].name }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });
  });

  it.each(devices)('has a fast overview: %s', { timeout: timeoutMs }, async (device) => {
    await expectGood('/', device);
  });
});
