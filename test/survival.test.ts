import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { curl } from './support/curl.ts';
import { startService, withDataFolder } from './support/service-process.ts';
import { killTree } from './support/spawn-service.ts';

describe('kill -9', () => {
  it('of the whole process tree at any moment does not prevent the next start', async () => {
    const rounds = Number(process.env.KEYFRONT_TEST_ROUNDS ?? 10);
    const seed = Number(process.env.KEYFRONT_TEST_SEED ?? Date.now() % 1_000_000);
    console.log(`kill -9 moments from KEYFRONT_TEST_SEED=${seed}`);
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state / 0x7fffffff;
    };
    await withDataFolder(async (folder) => {
      for (let round = 0; round < rounds; round++) {
        const service = startService({ KEYFRONT_DATA: folder });
        // From before the first line of code to well after it is ready.
        const moment = delay(random() * 2_000);
        await Promise.race([moment, service.ended]);
        await killTree(service);
      }
      const survivor = startService({ KEYFRONT_DATA: folder });
      const baseUrl = await survivor.ready;
      expect((await curl(baseUrl.replace('/api/v1', '/health/ready'))).status).toBe(200);
      const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      expect(demo).toMatchObject({ baseUrl, holders: [{ primaryTokenId: expect.any(Number) }, {}] });
      expect(await survivor.end()).toBe(0);
    });
  });
});
