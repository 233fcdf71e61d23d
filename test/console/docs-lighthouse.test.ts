import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/demo-service.ts';
import { type MeasuredBrowser, openMeasuredBrowser } from '../support/lighthouse.ts';
import { needs } from '../support/requirements.ts';

const wanted = 95;
const timeoutMs = 1_200_000;
/** The overview, the largest operation and the largest guide. */
const pages = ['/docs', '/docs/operations/createClient', '/docs/guides/signing'];

describe('the documentation, measured by Lighthouse', needs('Chromium'), () => {
  let service: DemoService;
  let browser: MeasuredBrowser;

  beforeAll(async () => {
    service = await startDemoService();
    browser = openMeasuredBrowser();
  });
  afterAll(async () => {
    browser?.close();
    await service?.close();
  });

  it.each(pages)('%s is fast on a phone', { timeout: timeoutMs }, async (path) => {
    const url = service.origin + path;
    const { scores, requestedUrls } = await browser.measureMedian(url, 'mobile', wanted);
    expect(requestedUrls.filter((each) => new URL(each).origin !== service.origin)).toEqual([]);
    expect(scores).toMatchObject({ accessibility: 100, 'best-practices': 100 });
    expect(scores.performance).toBeGreaterThanOrEqual(wanted);
  });
});
