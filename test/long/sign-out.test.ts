import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { Keyfront } from '@keyfront/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import type { DemoFile } from '../../packages/server/src/resources/demo/demo-file.ts';
import { scaled } from '../support/scale.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const connections = 64;
const lateRequestsPerConnection = 3;

function ask(url: string, agent: Agent, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

it(
  'no request that begins after a sign-out is accepted by 4 processes over 64 connections',
  {
    timeout: 120_000,
  },
  () =>
    onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, WORKERS: '4', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' });
      const baseUrl = await service.ready;
      const demo: DemoFile = JSON.parse(readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'));
      const wallet = privateKeyToAccount(`0x${demo.holders[0].walletPrivateKey.slice(2)}`);
      const agent = new Agent({ keepAlive: true, maxSockets: connections });
      for (let round = 0; round < scaled(3); round++) {
        let token = '';
        const watchToken: typeof fetch = async (...request) => {
          const response = await fetch(...request);
          token ||= ((await response.clone().json()) as { data: { token?: string } }).data.token ?? '';
          return response;
        };
        const signedIn = await new Keyfront({ baseUrl, fetch: watchToken }).signIn(wallet);
        let signedOutAt = Number.POSITIVE_INFINITY;
        let before = 0;
        const late: number[] = [];
        const caller = async () => {
          for (let afterwards = 0; afterwards < lateRequestsPerConnection; ) {
            const beganAt = performance.now();
            const status = await ask(`${baseUrl}/planets`, agent, token);
            if (beganAt > signedOutAt) {
              late.push(status);
              afterwards++;
            } else if (status === 200) before++;
          }
        };
        const callers = Array.from({ length: connections }, caller);
        await expect.poll(() => before, { timeout: 20_000 }).toBeGreaterThan(200);
        await signedIn.auth.signOut();
        signedOutAt = performance.now();
        await Promise.all(callers);
        expect(late).toEqual(Array.from({ length: connections * lateRequestsPerConnection }, () => 401));
      }
      agent.destroy();
      expect(await service.end()).toBe(0);
    }),
);
