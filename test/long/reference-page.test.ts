import type { AddressInfo } from 'node:net';
import { buildReferenceSite } from '@keyfront/api-reference';
import { fastify } from 'fastify';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { petstore } from '../../packages/api-reference/test/petstore.ts';
import { expectAccessible } from '../support/console-browser.ts';
import { chromiumFlags, findChromium } from '../support/find-chromium.ts';
import { needs } from '../support/requirements.ts';
import { refuseEverybody, startTestApp, type TestApp } from '../support/test-app.ts';

const guides = [
  {
    path: 'guides/errors',
    source: 'docs/guides/errors.md',
    title: 'Errors',
    description: 'Every error',
    markdown: `# Errors\n\n## Codes\n\n| Code | Meaning |\n|---|---|\n| \`NO_PET\` | It ran away |\n\n${'Text.\n\n'.repeat(80)}\n\n## The end\n`,
  },
];

/** A site about pets on a server of its own, with the headers that Keyfront sends. */
async function startPetSite(policy: string) {
  const app = fastify();
  const files = buildReferenceSite(petstore, {
    paths: { home: 'docs', openApi: 'openapi.json' },
    root: '/',
    sections: [{ title: 'Guides', guides }],
  });
  for (const { path, contentType, content } of files) {
    app.get(`/${path}`, (_request, reply) =>
      reply.type(contentType).header('content-security-policy', policy).send(content),
    );
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => app.close() };
}

/** One page of each kind, and those with the largest tables. */
const shownPages = [
  '/docs',
  '/docs/reference',
  '/docs/reference/orders',
  '/docs/operations/createOrder',
  '/docs/operations/onOrderCreated',
  '/docs/guides/errors',
  '/docs/guides/signing',
  '/docs/operating/settings',
  '/docs/sdk',
  '/docs/glossary',
];

/** Finds what sticks out of the window at its right; code and tables scroll by themselves. */
const findTooWide = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .filter((element) => !element.closest('pre, .table, .tabs, .unseen'))
  .map((element) => element.outerHTML.slice(0, 200))`;

describe('the reference in a browser', needs('Chromium'), () => {
  let service: TestApp;
  let pets: Awaited<ReturnType<typeof startPetSite>>;
  let browser: Browser;

  beforeAll(async () => {
    service = await startTestApp({ guard: refuseEverybody });
    const { headers } = await fetch(`${service.origin}/docs`);
    pets = await startPetSite(headers.get('content-security-policy') ?? '');
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await pets?.close();
    await service?.close();
  });

  /** Opens a page, and fails the test if the browser logs an error or sends a request to another host. */
  async function withPage(
    url: string,
    use: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => {
      const { url: source } = message.location();
      // Browsers load it when they find the time, which may be after a test has cut the network.
      if (!source.endsWith('/icon.svg')) complaints.push(`${message.text()} ${source}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(request.url());
    });
    try {
      await page.goto(url);
      await use(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  it('opens every page of Keyfront without a complaint of the browser', async () => {
    for (const path of shownPages) {
      await withPage(service.origin + path, async (page) => {
        await page.waitForSelector('.side a[aria-current]');
        expect(await page.evaluate(findTooWide)).toEqual([]);
      });
    }
  });

  it('is no wider than the screen of a phone, where a button opens the list', async () => {
    for (const path of shownPages) {
      await withPage(
        service.origin + path,
        async (page) => {
          expect(await page.evaluate(findTooWide)).toEqual([]);
          expect(await page.isVisible('.side')).toBe(false);
          await page.click('.menu');
          await page.waitForSelector('.side', { state: 'visible' });
          await page.click('.side a[href$="docs/reference/service"]');
          await page.waitForURL(`${service.origin}/docs/reference/service`);
          expect(await page.isVisible('.side')).toBe(false);
        },
        { viewport: { width: 390, height: 800 } },
      );
    }
  });

  it('has no fault that axe finds, in both colour schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const path of shownPages) {
        await withPage(
          service.origin + path,
          async (page) => {
            await expectAccessible(page);
          },
          { colorScheme, bypassCSP: true },
        );
      }
    }
  });

  it('leads from the anchors of the former single page to the pages of today', async () => {
    for (const [anchor, path] of [
      ['createOrder', '/docs/operations/createOrder'],
      ['topic-retries', '/docs/reference#topic-retries'],
    ]) {
      await withPage(`${service.origin}/docs#${anchor}`, async (page) => {
        await page.waitForURL(service.origin + path);
      });
    }
  });

  it('stacks the cells of wide tables on a phone, each with the title of its column', async () => {
    await withPage(
      `${service.origin}/docs/guides/errors`,
      async (page) => {
        const row = page.locator('#CART_EMPTY');
        const cells = await row
          .locator('td')
          .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
        expect(new Set(cells).size).toBe(1);
        expect(await row.locator('td').last().getAttribute('data-label')).toMatch(/./);
      },
      { viewport: { width: 390, height: 800 } },
    );
  });

  it('searches by keyboard, without the network', async () => {
    await withPage(`${pets.origin}/docs`, async (page) => {
      await page.waitForSelector('.side a[aria-current]');
      const index = page.waitForResponse((response) => response.url().endsWith('/search-index.js'));
      await page.focus('#page-search');
      await index;
      await page.evaluate('document.activeElement.blur()');
      await page.context().setOffline(true);
      await page.keyboard.press('/');
      await page.keyboard.type('pet');
      const options = page.locator('[role="option"]');
      expect(await options.first().locator('strong').textContent()).toBe('Pets');
      expect(await options.first().getAttribute('aria-selected')).toBe('true');
      expect(await page.getAttribute('#page-search', 'aria-expanded')).toBe('true');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const chosen = page.locator('[role="option"][aria-selected="true"]');
      expect(await chosen.locator('strong').textContent()).toBe('List pets');
      expect(await page.getAttribute('#page-search', 'aria-activedescendant')).toBe(
        await chosen.getAttribute('id'),
      );
      await page.context().setOffline(false);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${pets.origin}/docs/operations/listPets`);
      expect(await page.isVisible('#page-results')).toBe(false);
    });
  });

  it('finds by path, by description and by code, also from a guide', async () => {
    await withPage(`${pets.origin}/docs/guides/errors`, async (page) => {
      // The index is loaded for the first search.
      const expectResults = async (query: string, results: string[]) => {
        await page.fill('#page-search', query);
        await expect.poll(() => page.locator('#page-results > *').allInnerTexts()).toEqual(results);
      };
      await expectResults('/pets/{pet', ['Remove a pet\nDELETE /pets/{petId}']);
      await expectResults('newest first', ['List pets\nGET /pets']);
      await expectResults('xyz', ['Nothing found for “xyz”']);
      await expectResults('no_pet', ['NO_PET\nErrors']);
      await page.keyboard.press('Escape');
      expect(await page.isVisible('#page-results')).toBe(false);
      await page.fill('#page-search', 'list pets');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${pets.origin}/docs/operations/listPets`);
    });
  });

  it('copies the code that a panel shows', async () => {
    await withPage(
      `${pets.origin}/docs/operations/addPet`,
      async (page) => {
        const copied = () => page.evaluate('navigator.clipboard.readText()');
        const panel = page.locator('[data-tabs="Request"]');
        await panel.locator('.copy').click();
        await panel.getByText('Copied').waitFor();
        expect(await copied()).toBe('curl "$PETS_URL"');
        await panel.getByRole('tab', { name: 'Node' }).click();
        await panel.locator('.copy').click();
        await page.waitForFunction('navigator.clipboard.readText().then((text) => text.startsWith("await"))');
        expect(await copied()).toBe('await pets.add({ name: "Rex" });');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('switches tabs by mouse and keyboard, and remembers the choice', async () => {
    await withPage(`${pets.origin}/docs/operations/addPet`, async (page) => {
      const tab = (name: string) => page.getByRole('tab', { name });
      const shown = () => page.locator('[role="tabpanel"]:visible code').innerText();
      expect(await shown()).toContain('curl');
      await tab('Node').click();
      expect(await shown()).toContain('await pets');
      await page.keyboard.press('ArrowRight');
      expect(await shown()).toContain('curl');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('curl');
      await page.keyboard.press('End');
      expect(await shown()).toContain('await pets');
      expect(await tab('Node').getAttribute('aria-selected')).toBe('true');
      expect(await tab('curl').getAttribute('tabindex')).toBe('-1');
      await page.reload();
      await page.waitForSelector('.side a[aria-current]');
      expect(await shown()).toContain('await pets');
    });
  });

  it('marks the section that is read in the table of contents', async () => {
    await withPage(`${pets.origin}/docs/guides/errors`, async (page) => {
      await page.waitForSelector('.toc a[href="#codes"][aria-current]');
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.waitForSelector('.toc a[href="#the-end"][aria-current]');
    });
  });

  it('is fully readable without scripts', async () => {
    await withPage(
      `${pets.origin}/docs/operations/addPet`,
      async (page) => {
        const samples = page.locator('[data-tabs="Request"] pre');
        expect(await samples.count()).toBe(2);
        for (const sample of await samples.all()) expect(await sample.isVisible()).toBe(true);
        for (const control of ['.search', '.copy', '.tabs']) {
          expect(await page.locator(control).first().isVisible()).toBe(false);
        }
        expect(await page.isVisible('.side a[href$="docs/operations/listPets"]')).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });
});
