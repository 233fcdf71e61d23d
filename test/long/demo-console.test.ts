import { describe, expect, it } from 'vitest';
import { askForWallets, expectNoWallets, printedLink, readDemo } from '../support/demo-console.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

describe('the link to the console', () => {
  it('opens the demo wallets in every worker, is also in demo.json, and is printed once and logged never', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, WORKERS: '2' });
      await service.ready;
      const link = printedLink(service);
      const demo = await readDemo(settings.KEYFRONT_DATA);
      expect(demo.consoleUrl).toBe(link);
      // Connections are spread over the workers.
      const replies = await Promise.all(Array.from({ length: 8 }, () => askForWallets(link)));
      for (const reply of replies) expect(reply).toContain(demo.admin.walletPrivateKey);
      expect(await askForWallets(link.replace(/.$/, '~'))).not.toContain('PrivateKey');
      expect(await askForWallets(new URL('/console', link).href)).not.toContain('PrivateKey');
      const token = String(new URL(link).searchParams.get('token'));
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output()).toContain('"route":"/console/demo-wallets"');
      expect(service.output().split(token)).toHaveLength(2);
    });
  });

  it.each<[string, Record<string, string>]>([
    ['TRUST_PROXY', { TRUST_PROXY: 'loopback' }],
    ['a public PUBLIC_URL', { PUBLIC_URL: 'https://shop.example' }],
  ])('has no token with %s, and opens no wallets', async (_name, published) => {
    await onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, ...published });
      await expectNoWallets(service);
      expect(service.output()).toContain('their keys are in');
    });
  });
});
