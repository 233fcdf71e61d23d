import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyfront } from '@keyfront/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { findChildren } from '../../faults/src/processes/find-children.ts';
import type { DemoFile } from '../../packages/server/src/resources/demo/demo-file.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const oldSecret = 'the first secret of the service, long enough';
const newSecret = 'another secret of the service, long enough';

const isSignedWith = (token: string, secret: string) => {
  const [head = '', claims = '', signature] = token.split('.');
  return createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url') === signature;
};

describe('a service that gets SIGHUP', () => {
  it('uses the secrets that its files have now, without refusing a request', async () => {
    await onDemoDatabase(async ({ JWT_SECRET: _secret, ...settings }) => {
      const fileOf = (name: string) => join(settings.KEYFRONT_DATA, name);
      const write = (name: string, content: string) => writeFileSync(fileOf(name), content, { mode: 0o600 });
      write('jwt', oldSecret);
      write('former-jwt', oldSecret);
      write('metrics', 'the first token of the metrics');
      const service = startService({
        ...settings,
        JWT_SECRET_FILE: fileOf('jwt'),
        JWT_SECRET_PREVIOUS_FILE: fileOf('former-jwt'),
        METRICS_TOKEN_FILE: fileOf('metrics'),
        WORKERS: '2',
        RATE_LIMIT: 'off',
      });
      const baseUrl = await service.ready;
      const demo: DemoFile = JSON.parse(readFileSync(fileOf('demo.json'), 'utf8'));
      const wallet = privateKeyToAccount(`0x${demo.holders[0].walletPrivateKey.slice(2)}`);
      const signIn = async () => {
        let token = '';
        const watch: typeof fetch = async (...request) => {
          const response = await fetch(...request);
          token ||= ((await response.clone().json()) as { data: { token?: string } }).data.token ?? '';
          return response;
        };
        await new Keyfront({ baseUrl, fetch: watch }).signIn(wallet);
        return token;
      };
      const ask = async (path: string, token: string) =>
        (await fetch(baseUrl.replace('/api/v1', path), { headers: { authorization: `Bearer ${token}` } }))
          .status;
      const former = await signIn();
      expect(isSignedWith(former, oldSecret)).toBe(true);

      let isOver = false;
      const statuses = new Map<number, number>();
      const callers = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const status = await ask('/api/v1/planets', former);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const hangUp = async (sentence: string) => {
        const before = service.output().split(sentence).length;
        process.kill(service.child.pid ?? 0, 'SIGHUP');
        await expect
          .poll(() => service.output().split(sentence).length, { timeout: 60_000 })
          .toBe(before + 1);
      };
      write('jwt', newSecret);
      write('metrics', 'another token of the metrics');
      await hangUp('Reloaded the secrets');
      expect(isSignedWith(await signIn(), newSecret)).toBe(true);
      expect(await ask('/metrics', 'another token of the metrics')).toBe(200);
      expect(await ask('/metrics', 'the first token of the metrics')).toBe(401);

      // What cannot be used is refused, and everything goes on as before.
      write('jwt', 'short');
      await hangUp('The secrets could not be reloaded');
      expect(service.output()).not.toContain(newSecret);
      expect(isSignedWith(await signIn(), newSecret)).toBe(true);

      isOver = true;
      await Promise.all(callers);
      expect([...statuses.keys()]).toEqual([200]);
      // Whoever has the former secret gets nothing any more. A worker that dies meanwhile leaves as many as there should be.
      write('jwt', newSecret);
      write('former-jwt', newSecret);
      const { pid = 0 } = service.child;
      const [victim = 0] = findChildren(pid);
      process.kill(victim, 'SIGKILL');
      await hangUp('Reloaded the secrets');
      await expect.poll(() => findChildren(pid).length).toBe(2);
      expect(await ask('/api/v1/planets', former)).toBe(401);
      expect(await service.end()).toBe(0);
    });
  });

  it('goes on with one process, and says that it must be restarted', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService(settings);
      const baseUrl = await service.ready;
      process.kill(service.child.pid ?? 0, 'SIGHUP');
      await expect.poll(() => service.output()).toContain('set WORKERS to 2 or more');
      expect((await fetch(`${baseUrl}/public/healthStatus`)).status).toBe(200);
      expect(await service.end()).toBe(0);
    });
  });
});
