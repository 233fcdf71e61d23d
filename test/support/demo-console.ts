import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ServiceProcess } from '../../faults/src/processes/spawn-service.ts';
import { consoleLink, deriveConsoleToken } from '../../packages/server/src/resources/demo/console-token.ts';

/** The link after `Console` in the output. */
export const printedLink = ({ output }: ServiceProcess) =>
  /^ {2}Console {4}(\S+)$/m.exec(output())?.[1] ?? '';

export const readDemo = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));

/** Opens a link as a browser does, and asks for the wallets with the cookies that it gave. */
export async function askForWallets(link: string): Promise<string> {
  const opened = await fetch(link, { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie().map((each) => each.split(';')[0]);
  const headers = { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' };
  return (await fetch(new URL('/console/demo-wallets', link), { headers })).text();
}

/** Fails if the service hands out its demo wallets, even to somebody who knows the token of its data folder. */
export async function expectNoWallets(service: ServiceProcess): Promise<void> {
  await service.ready;
  const url = printedLink(service);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console$/);
  const { admin } = await readDemo(service.dataFolder ?? '');
  const link = consoleLink(url, deriveConsoleToken(admin.walletPrivateKey));
  expect(await askForWallets(link)).not.toContain('PrivateKey');
  expect(await (await fetch(link)).text()).toContain('&#34;demoWallets&#34;:&#34;none&#34;');
  expect(await service.end('SIGTERM')).toBe(0);
}
