import { afterAll, beforeAll } from 'vitest';
import { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, launchConsoleBrowser } from './console-browser.ts';
import { type DemoService, type DemoServiceParts, startDemoService } from './demo-service.ts';

interface DemoConsole {
  readonly service: DemoService;
  readonly browser: ConsoleBrowser;
  /** As the storefront of the first holder. */
  readonly storefront: Keyfront;
}

/** Starts a service with the demo and a browser for its console before the first test, and ends both after the last. */
export function useDemoConsole(
  prepare: (opened: DemoConsole) => Promise<void> | void,
  parts?: DemoServiceParts,
): void {
  let service: DemoService | undefined;
  let browser: ConsoleBrowser | undefined;
  beforeAll(async () => {
    service = await startDemoService(parts);
    browser = await launchConsoleBrowser(service.consoleUrl);
    const [{ apiKey, secretKey }] = service.demo.holders;
    const storefront = new Keyfront({ baseUrl: service.origin, apiKey, secretKey });
    await prepare({ service, browser, storefront });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
}
