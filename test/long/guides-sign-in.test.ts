import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Keyfront } from '@keyfront/sdk';
import { hexToString } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  expectNoSecret,
  openTerminal,
  readDocument,
  readPrograms,
  readSteps,
  toPattern,
} from '../support/guide-programs.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const guide = readDocument('docs/guides/sign-in.md');

/** For the files of one test. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the sign-in guide', () => {
  const programs = {
    'sign.mjs': readPrograms(guide, '2. Sign the message', 'js')[0],
    'sign-in.mjs': readPrograms(guide, 'With the SDK', 'js')[0],
    'browser-sign-in.js': readPrograms(guide, 'A browser wallet', 'js')[0],
  };
  const steps = readSteps(guide);

  it('works from a wallet to a signed request, with no secret in the process list', async () => {
    await onDemoDatabase(async (settings) => {
      const dataFolder = settings.KEYFRONT_DATA;
      const service = startService(settings);
      const baseUrl = await service.ready;
      const terminal = openTerminal(folder, dataFolder);
      for (const [name, program] of Object.entries(programs)) {
        expect(guide).toContain(`\`${name}\``);
        writeFileSync(join(terminal.cwd, name), program);
      }

      // Keys of earlier runs, or of another guide.
      const earlierKeys = ['key.json', 'storefront.pem'].map((name) => join(terminal.cwd, name));
      for (const file of earlierKeys) writeFileSync(file, 'an earlier key');
      const [cliCommands] = readPrograms(guide, 'With the command line', 'sh');
      const profiles = `export KEYFRONT_CONFIG='${join(folder, 'profiles.json')}'`;
      const [run, cli] = await Promise.all([
        terminal.run(steps.map(({ program }) => `${program}\nprintf '\\0'`).join('\n')),
        terminal.run(`set -e\n${profiles}\n${steps[0]?.program}\n${cliCommands}`),
      ]);
      expect(run.stderr).toBe('');
      const outputs = steps.map(({ output }) => expect.stringMatching(toPattern(output)));
      expect(run.stdout.split('\0')).toEqual([...outputs, '']);
      const keyFiles = readdirSync(terminal.cwd).filter((name) => /^key-[-\d]+\.json$/.test(name));
      expect(keyFiles).toHaveLength(1);
      const keyFile = join(terminal.cwd, String(keyFiles[0]));
      expect(statSync(keyFile).mode & 0o777).toBe(0o600);
      expect(cli.code, cli.stderr).toBe(0);
      expect(cli.stdout).toContain('"name": "Auremi"');
      for (const file of earlierKeys) expect(readFileSync(file, 'utf8')).toBe('an earlier key');

      const demo = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      const { secretKey } = JSON.parse(readFileSync(keyFile, 'utf8')).data;
      expectNoSecret(terminal.readCommands(), secretKey);
      expect(terminal.readCommands()).not.toMatch(/bearer/i);
      expect(terminal.readCommands()).not.toContain(demo.holders[0].walletPrivateKey.slice(2));

      const browser = (await import(pathToFileURL(join(terminal.cwd, 'browser-sign-in.js')).href)) as {
        signInWithBrowserWallet(baseUrl: string, provider: Provider): Promise<Keyfront>;
      };
      const provider = walletProvider(privateKeyToAccount(demo.holders[1].walletPrivateKey));
      const signedIn = await browser.signInWithBrowserWallet(baseUrl, provider);
      expect((await signedIn.holder.me()).primaryNft?.tokenId).toBe(demo.holders[1].primaryTokenId);
      expect(await service.end()).toBe(0);
    });
  });
});

interface Provider {
  request(call: { method: string; params?: readonly string[] }): Promise<unknown>;
}

/** A wallet behind EIP-1193, as a browser extension offers it. */
function walletProvider(account: PrivateKeyAccount): Provider {
  return {
    request: async ({ method, params = [] }) => {
      if (method === 'eth_requestAccounts') return [account.address.toLowerCase()];
      const [data, address] = params;
      expect([method, address]).toEqual(['personal_sign', account.address.toLowerCase()]);
      return account.signMessage({ message: hexToString(data as `0x${string}`) });
    },
  };
}
