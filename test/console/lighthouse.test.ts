import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import {
  type Device,
  type MeasuredBrowser,
  type Measurement,
  openMeasuredBrowser,
} from '../support/lighthouse.ts';
import { needs } from '../support/requirements.ts';

const wanted = 95;
/** A phone of the middle class takes four times as long for scripts, and the overview draws a chart and eight panels. It gets 68 to 80. */
const minOverviewOnPhone = 65;
const minPerformance = (path: string, device: Device) =>
  path === '/' && device === 'mobile' ? minOverviewOnPhone : wanted;
/** Another program can slow down one of them. */
const runs = 3;
const maxSeries = 4;
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

  /** The median of three runs. While the machine is busy with other work, a slow series says nothing and is repeated. */
  async function measure(path: string, device: Device): Promise<Measurement> {
    for (let series = 1; ; series += 1) {
      const measurements: Measurement[] = [];
      for (let run = 0; run < runs; run += 1) {
        const measurement = await browser.measure(`${service.origin}/console${path}`, device);
        console.info(`${path} on ${device}: ${measurement.summary}`);
        measurements.push(measurement);
      }
      measurements.sort((one, other) => one.scores.performance - other.scores.performance);
      const median = measurements[Math.floor(runs / 2)] as Measurement;
      const isMeaningful = measurements.every(({ isMachineCalm }) => isMachineCalm);
      if (median.scores.performance >= minPerformance(path, device) || isMeaningful || series === maxSeries)
        return median;
    }
  }

  async function expectGood(path: string, device: Device): Promise<void> {
    const { scores, finalUrl, requestedUrls } = await measure(path, device);
    expect(finalUrl).toBe(`${service.origin}/console${path}`);
    expect(requestedUrls.filter((url) => new URL(url).origin !== service.origin)).toEqual([]);
    expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
    expect(scores.performance).toBeGreaterThanOrEqual(minPerformance(path, device));
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
