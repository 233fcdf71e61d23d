import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromiumFlags, findChromium } from './find-chromium.ts';
import type { Shop } from './storefront-shop.ts';

/** A browser in which every byte that the shop sends is searched for its secrets. */
export interface ShopBrowser {
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Waits for the bodies of all responses, and fails if one of them has a secret. Returns how many were searched. */
  expectNoSecrets(): Promise<number>;
  /** Fails if the browser has complained: errors in scripts, violated policies. */
  expectNoComplaints(): void;
  close(): Promise<void>;
}

export async function launchShopBrowser({ url, settings }: Shop): Promise<ShopBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: chromiumFlags,
  });
  const bodies: Promise<string>[] = [];
  const complaints: string[] = [];
  return {
    open: async (options = {}) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // The browser reports each response with an error. What the shop says then is tested by itself.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      page.on('response', (response) => {
        if (!response.url().startsWith(url) || response.url().endsWith('/updates')) return;
        const headers = JSON.stringify(response.headers());
        // A redirect has no body.
        bodies.push(
          response.text().then(
            (body) => headers + body,
            () => headers,
          ),
        );
      });
      return page;
    },
    expectNoSecrets: async () => {
      const secrets = [
        settings.KEYFRONT_SECRET_KEY,
        settings.KEYFRONT_WEBHOOK_SECRET,
        settings.SESSION_SECRET,
      ].map((secret) => secret ?? '');
      expect(secrets).not.toContain('');
      for (const body of await Promise.all(bodies))
        for (const secret of secrets) expect(body.includes(secret)).toBe(false);
      return bodies.length;
    },
    expectNoComplaints: () => expect(complaints.splice(0)).toEqual([]),
    close: () => browser.close(),
  };
}
