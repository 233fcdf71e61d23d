import { sign } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyPayload, fetchBody } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import { startService } from '../processes/service.ts';
import { amountRow } from '../report/row.ts';
import type { Scenario } from './scenario.ts';

const mostSeconds = 2;

/** From nothing to the first answer, on an embedded database that is there already. */
export const start: Scenario = {
  name: 'start',
  measure: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-start-'));
    const startAndAsk = async () => {
      const begin = performance.now();
      const service = await startService({ KEYFRONT_DATA: folder });
      try {
        await ask(service.baseUrl, folder);
        return (performance.now() - begin) / 1000;
      } finally {
        await service.end();
      }
    };
    try {
      const { seconds } = await measureInTurn({ seconds: startAndAsk }, { seconds: startAndAsk });
      return [
        amountRow(
          'start',
          'start on an existing embedded database, to the first answer',
          seconds,
          mostSeconds,
          's',
        ),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The first thing a storefront asks, with the key of the demo. */
async function ask(baseUrl: string, dataFolder: string): Promise<void> {
  const [holder] = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8')).holders;
  const secretKey = Buffer.from(holder.secretKey, 'base64').toString();
  const signature = sign('sha256', Buffer.from(emptyPayload), secretKey).toString('base64');
  await fetchBody(baseUrl, {
    path: '/planets',
    headers: { 'x-auth-apikey': holder.apiKey, 'x-auth-signature': signature },
  });
}
