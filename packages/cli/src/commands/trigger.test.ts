import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { baseUrl, createHarness, failure, makeKeyPair, success } from '../../test/cli-harness.ts';

const demo = {
  baseUrl,
  holders: [{ ...makeKeyPair(), walletPrivateKey: `0x${'1'.repeat(64)}` }],
  admin: { walletPrivateKey: `0x${'2'.repeat(64)}` },
};

it.each([
  ['nonce', 403, 'ADMINISTRATOR_REQUIRED'],
  ['signIn', 401, 'UNAUTHORIZED'],
])('says that the demo is of another data folder if %s is refused', async (step, status, code) => {
  const harness = createHarness({
    respond: ({ target }) =>
      target === `/auth/${step}`
        ? failure(status, 'No', { code })
        : success({ nonce: 'x', message: 'Sign this', expiresAt: '2026-11-15T09:30:00.000Z' }, 201),
  });
  const file = join(harness.folder, 'demo.json');
  writeFileSync(file, JSON.stringify(demo));
  const { code: exitCode, stderr } = await harness.run('trigger', 'order.created', '--demo', file);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`The service at ${baseUrl} does not know the wallets of ${file}`);
  expect(stderr).toContain('KEYFRONT_DATA');
});

it('reads the demo of KEYFRONT_DATA', async () => {
  const harness = createHarness({ respond: () => failure(403, 'No') });
  const folder = join(harness.folder, 'data');
  mkdirSync(folder);
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
  const withData = createHarness({ env: { KEYFRONT_DATA: folder }, respond: () => failure(403, 'No') });
  expect((await withData.run('trigger', 'order.created')).stderr).toContain(join(folder, 'demo.json'));
});
