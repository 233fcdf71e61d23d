import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from './find-chromium.ts';

const command = createRequire(import.meta.url).resolve('lighthouse/cli/index.js');
/**
 * The benchmark index from which Lighthouse calls a machine a desktop computer. Lighthouse multiplies the time that scripts
 * have taken by a factor, and asks for a smaller one where the machine is slower than a desktop computer. The factor is that of the
 * device; on a slower or busy machine it is multiplied by the machine's share of this index.
 */
const desktopBenchmarkIndex = 1000;

/** What Lighthouse measures as: its own settings for a desktop computer, and for a phone of the middle class with a slow connection. */
const devices = {
  desktop: { slowdown: 1, flags: ['--preset=desktop'] },
  mobile: { slowdown: 4, flags: [] },
} as const;
export type Device = keyof typeof devices;

/** Another program can slow down one of them. */
const runs = 3;
const maxSeries = 4;

const categories = ['performance', 'accessibility', 'best-practices'] as const;

/** The points of a page, from 0 to 100. */
export type Scores = Readonly<Record<(typeof categories)[number], number>>;

export interface Measurement {
  readonly scores: Scores;
  /** Where the page has led to. */
  readonly finalUrl: string;
  /** Every address that the page has loaded. */
  readonly requestedUrls: readonly string[];
  /** Whether the machine was as fast as a desktop computer. */
  readonly isMachineCalm: boolean;
  /** For the log of the run. */
  readonly summary: string;
}

/** What is needed of a report of Lighthouse. */
interface Report {
  readonly finalDisplayedUrl: string;
  readonly categories: Readonly<Record<string, { readonly score: number }>>;
  readonly audits: Readonly<
    Record<string, { displayValue?: string; details?: { items?: readonly { url: string }[] } }>
  >;
}

/** A browser profile that Lighthouse measures in, with what the visitor has stored. */
export interface MeasuredBrowser {
  /** Opens a page in the profile, for what has to happen before a measurement. */
  use<Result>(work: (page: Page) => Promise<Result>): Promise<Result>;
  /** Loads the page with an empty HTTP cache, as on the device. */
  measure(url: string, device: Device): Promise<Measurement>;
  /**
   * The median of three measurements. While the machine is busy with other work, three below the wanted performance say nothing and
   * are repeated.
   */
  measureMedian(url: string, device: Device, wantedPerformance: number): Promise<Measurement>;
  close(): void;
}

/**
 * Lighthouse runs as a process of its own, with its own browser: what it measures must not share a thread with the service
 * that it loads from.
 */
export function openMeasuredBrowser(): MeasuredBrowser {
  const profile = mkdtempSync(join(tmpdir(), 'keyfront-lighthouse-'));
  const executablePath = findChromium() ?? '';

  const flags = ['--headless', ...chromiumFlags, `--user-data-dir=${profile}`];

  const use: MeasuredBrowser['use'] = async (work) => {
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: chromiumFlags });
    try {
      return await work(await context.newPage());
    } finally {
      await context.close();
    }
  };
  const measure: MeasuredBrowser['measure'] = async (url, device) => {
    const { slowdown, flags: deviceFlags } = devices[device];
    const benchmarkIndex: number = await use((page) =>
      page.evaluate(`(${pageFunctions.computeBenchmarkIndex.toString()})()`),
    );
    const report = await runLighthouse(
      [
        url,
        `--chrome-flags=${flags.join(' ')}`,
        ...deviceFlags,
        `--throttling.cpuSlowdownMultiplier=${slowdown * Math.min(1, benchmarkIndex / desktopBenchmarkIndex)}`,
        `--only-categories=${categories.join(',')}`,
        ...['--output=json', '--quiet', '--no-enable-error-reporting'],
      ],
      executablePath,
    );
    return readReport(report, benchmarkIndex);
  };
  const measureMedian: MeasuredBrowser['measureMedian'] = async (url, device, wantedPerformance) => {
    for (let series = 1; ; series += 1) {
      const measurements: Measurement[] = [];
      for (let run = 0; run < runs; run += 1) {
        const measurement = await measure(url, device);
        console.info(`${new URL(url).pathname} on ${device}: ${measurement.summary}`);
        measurements.push(measurement);
      }
      measurements.sort((one, other) => one.scores.performance - other.scores.performance);
      const median = measurements[Math.floor(runs / 2)] as Measurement;
      const isMeaningful = measurements.every(({ isMachineCalm }) => isMachineCalm);
      if (median.scores.performance >= wantedPerformance || isMeaningful || series === maxSeries)
        return median;
    }
  };
  return { use, measure, measureMedian, close: () => rmSync(profile, { recursive: true }) };
}

async function runLighthouse(args: readonly string[], chromePath: string): Promise<Report> {
  const env = { ...process.env, CHROME_PATH: chromePath };
  const options = { env, maxBuffer: 100_000_000 };
  for (let attempts = 1; ; attempts += 1) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], options);
      return JSON.parse(stdout);
    } catch (error) {
      // The browser now and then loses the begin of the trace. Lighthouse itself says to run it again.
      if (attempts === 5 || !String(error).includes('NO_NAVSTART')) throw error;
    }
  }
}

function readReport(report: Report, benchmarkIndex: number): Measurement {
  const scoreOf = (category: string) => Math.round((report.categories[category]?.score ?? 0) * 100);
  const shownValue = (audit: string) => report.audits[audit]?.displayValue;
  const scores = {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
  return {
    scores,
    finalUrl: report.finalDisplayedUrl,
    requestedUrls: (report.audits['network-requests']?.details?.items ?? []).map(({ url }) => url),
    isMachineCalm: benchmarkIndex >= desktopBenchmarkIndex,
    summary: [
      ...Object.entries(scores).map(([name, score]) => `${name} ${score}`),
      `first paint ${shownValue('first-contentful-paint')}`,
      `largest paint ${shownValue('largest-contentful-paint')}`,
      `blocked ${shownValue('total-blocking-time')}`,
      `speed index ${shownValue('speed-index')}`,
      `layout shift ${shownValue('cumulative-layout-shift')}`,
      `benchmark index ${benchmarkIndex}`,
    ].join(', '),
  };
}
