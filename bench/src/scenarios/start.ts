import { sign } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyPayload, fetchBody } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { startService } from '../processes/service.ts';
import { amountRow } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

const maxSeconds = 1;

/** The time from process start to the first response, on an existing embedded database. */
export const start: Scenario = {
  name: 'start',
  measure: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-start-'));
    const startAndFetch = async () => {
      const begin = performance.now();
      const service = await startService({ KEYFRONT_DATA: folder });
      try {
        await fetchPlanets(service.baseUrl, folder);
        return (performance.now() - begin) / 1000;
      } finally {
        await service.end();
      }
    };
    try {
      const { seconds } = await measureInterleaved({ seconds: startAndFetch }, { seconds: startAndFetch });
      return [
        amountRow(
          'start',
          'start on an existing embedded database, to the first answer',
          seconds,
          maxSeconds,
          's',
        ),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Sends a signed request with the API key of the demo. */
async function fetchPlanets(baseUrl: string, dataFolder: string): Promise<void> {
  const [holder] = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8')).holders;
  const secretKey = Buffer.from(holder.secretKey, 'base64').toString();
  const signature = sign('sha256', Buffer.from(emptyPayload), secretKey).toString('base64');
  await fetchBody(baseUrl, {
    path: '/planets',
    headers: { 'x-auth-apikey': holder.apiKey, 'x-auth-signature': signature },
  });
}
