import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { chromiumFlags, findChromium } from './find-chromium.ts';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A browser in which every complaint is kept. */
export interface ConsoleBrowser {
  /** Opens a context with one page: a visitor who has opened the link of the start, and has nothing else stored. */
  open(options?: BrowserContextOptions): Promise<Visitor>;
  /** Opens a visitor who is signed in with a wallet of the demo. */
  signIn(name: string, options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** Somebody with a browser. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Allows one kind of complaint until the next check: the browser reports that the service refused with this status. */
  expectRefusal(status: number): void;
  /**
   * Fails if the browser has complained since the last check: errors, warnings, violated policies, requests to other
   * hosts.
   */
  expectNoComplaints(): void;
  /** How much of the loaded page has moved without an action of the visitor, and what has: the layout shift of Web Vitals. */
  readLayoutShift(): Promise<LayoutShift>;
  /** The token of the session. */
  readToken(): Promise<string>;
  /** Opens a page of the console. */
  visit(path: string): Promise<void>;
  /** Signs in with a wallet of the demo, on the page that asks for it. */
  signInAs(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface LayoutShift {
  /** 0: nothing has moved. */
  readonly score: number;
  /** The elements, each with its share. */
  readonly sources: readonly string[];
}

/** Adds up layout shifts in the page. As text: it runs in the page, whose types are not those of the tests. */
const observeLayoutShifts = `
  window.layoutShift = { score: 0, sources: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.layoutShift.score += value;
      const nodes = sources.map(({ node }) => (node?.outerHTML ?? node?.nodeValue ?? '').slice(0, 120));
      window.layoutShift.sources.push(value.toFixed(4) + ' ' + nodes.join(' | '));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Takes the link that a start prints. */
export async function launchConsoleBrowser(consoleUrl: string): Promise<ConsoleBrowser> {
  const { origin } = new URL(consoleUrl);
  const browser: Browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: chromiumFlags,
  });
  const launched: ConsoleBrowser = {
    open: async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      await context.addInitScript(observeLayoutShifts);
      await context.request.get(consoleUrl);
      const page = await context.newPage();
      let complaints: string[] = [];
      let refusals: string[] = [];
      page.on('console', (message) => complaints.push(`${message.text()} ${message.location().url}`));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin)
          complaints.push(request.url());
      });
      return {
        page,
        context,
        expectRefusal: (status) => {
          refusals.push(`the server responded with a status of ${status} `);
        },
        expectNoComplaints: () => {
          const unexpected = complaints.filter((text) => !refusals.some((refusal) => text.includes(refusal)));
          complaints = [];
          refusals = [];
          expect(unexpected).toEqual([]);
        },
        readToken: () => page.evaluate('JSON.parse(localStorage["keyfront.session"]).token'),
        readLayoutShift: () => page.evaluate('window.layoutShift'),
        visit: async (path) => {
          await page.goto(`${origin}/console${path}`);
        },
        signInAs: async (name) => {
          await page.getByRole('button', { name }).click();
          await page
            .getByRole('navigation', { name: 'Pages' })
            .or(page.getByLabel('Open menu'))
            .first()
            .waitFor();
        },
        close: () => context.close(),
      };
    },
    signIn: async (name, options) => {
      const visitor = await launched.open(options);
      await visitor.visit('/');
      await visitor.signInAs(name);
      return visitor;
    },
    close: () => browser.close(),
  };
  return launched;
}

/**
 * Ends when nothing has faded or moved for some frames: what opens begins to do so in a later one. What moves as long as it is there, such
 * as a loader, is not waited for.
 */
const waitForTransitions = `(async () => {
  for (let calmFrames = 0; calmFrames < 4; calmFrames++) {
    await new Promise(requestAnimationFrame);
    const running = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
    if (running.length > 0) calmFrames = 0;
    await Promise.allSettled(running.map(({ finished }) => finished));
  }
})()`;

/** Fails if axe finds a violation of WCAG 2.2 AA on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half faded in, a text has another contrast than the one that it is read with.
  await page.evaluate(waitForTransitions);
  await page.evaluate(axeSource);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const violations =
    await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary).join(' | ')))`);
  expect(violations).toEqual([]);
}
