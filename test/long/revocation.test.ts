import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { CreatedKey } from '@keyfront/protocol';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { DemoFile } from '../../packages/server/src/resources/demo/demo-file.ts';
import { curl } from '../support/curl.ts';
import { readData } from '../support/guarded-app.ts';
import { signWithOpenssl } from '../support/openssl.ts';
import { scaled } from '../support/scale.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const json = ['--header', 'content-type: application/json', '--data-binary'];

function ask(url: string, agent: Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

describe('revoking a key while several processes serve many connections', () => {
  it('rejects every request that begins after the response', async () => {
    await onDemoDatabase(async (settings) => {
      const folder = settings.KEYFRONT_DATA;
      const service = startService({
        ...settings,
        WORKERS: '2',
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
      });
      const base = await service.ready;
      const demo: DemoFile = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
      const [holder] = demo.holders;
      const wallet = privateKeyToAccount(`0x${holder.walletPrivateKey.slice(2)}`);
      const nonce = await curl(
        ...json,
        JSON.stringify({ walletAddress: wallet.address }),
        `${base}/auth/nonce`,
      );
      const { message } = readData<{ message: string }>(nonce);
      const signature = await wallet.signMessage({ message });
      const signedIn = await curl(...json, JSON.stringify({ message, signature }), `${base}/auth/signIn`);
      const { token } = readData<{ token: string }>(signedIn);
      const bearer = ['--oauth2-bearer', token];

      const agent = new Agent({ keepAlive: true, maxSockets: 64 });
      for (let round = 0; round < scaled(1); round++) {
        const key = readData<CreatedKey>(
          await curl(...bearer, ...json, '{"keyName":"Doomed"}', `${base}/keys`),
        );
        const file = join(folder, 'doomed.pem');
        writeFileSync(file, Buffer.from(key.secretKey ?? '', 'base64'), { mode: 0o600 });
        const headers = { 'x-auth-apikey': key.apiKey, 'x-auth-signature': signWithOpenssl({ file }, '{}') };

        let revokedAt = Number.POSITIVE_INFINITY;
        let before = 0;
        const late: number[] = [];
        const caller = async () => {
          for (let afterwards = 0; afterwards < 3; ) {
            const beganAt = performance.now();
            const status = await ask(`${base}/planets`, agent, headers);
            if (beganAt > revokedAt) {
              late.push(status);
              afterwards++;
            } else if (status === 200) before++;
          }
        };
        const callers = Array.from({ length: 64 }, caller);
        await expect.poll(() => before).toBeGreaterThan(200);
        // Not by curl: the end of its process would give the others a head start.
        const revoked = await fetch(`${base}/keys/${key.id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${token}` },
        });
        revokedAt = performance.now();
        expect(revoked.status).toBe(200);
        await Promise.all(callers);
        expect(late).toEqual(Array.from({ length: 192 }, () => 401));
      }
      agent.destroy();
      expect(await service.end()).toBe(0);
    });
  });
});
