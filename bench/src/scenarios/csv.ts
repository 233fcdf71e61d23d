import { type IncomingMessage, request } from 'node:http';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Bench, signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { settingsFor, startService } from '../processes/service.ts';
import { inlineValues, startStatementRecorder } from '../processes/statement-recorder.ts';
import { amountRow, shareOf } from '../report/row.ts';
import { noFilters } from './export-pages.ts';
import type { Scenario } from './scenario.ts';

const maxMemoryMb = 150;

/** The export of all orders of the large holder as one CSV file. */
export const csv: Scenario = {
  name: 'csv',
  measure: async (bench) => {
    const { sizes, store } = bench;
    const query = await recordQuery(bench);
    // A fresh process, so that no other scenario has raised its peak memory.
    const service = await startService(settingsFor(store));
    try {
      const everyOrder = sizes.orders;
      const download = async () => rateFrom(everyOrder, () => downloadCsv(bench, service.baseUrl));
      const copy = async () => rateFrom(everyOrder, () => copyOut(store.ownerUrl, query));
      const measures = { download, copy };
      const rates = await measureInterleaved(measures, measures);
      const memory = service.peakMemoryMb();
      const what = `CSV of ${sizes.orders.toLocaleString('en-US')} orders`;
      return [
        {
          id: 'csv',
          what,
          figure: { value: rates.download, unit: 'orders/s' },
          limit: { what: 'COPY (the same query) TO STDOUT', value: rates.copy, unit: 'orders/s' },
          judged: shareOf(rates.download, rates.copy, 0.7),
        },
        ...(memory === null
          ? []
          : [amountRow('csv memory', `${what}, the most memory`, memory, maxMemoryMb, 'MB')]),
      ];
    } finally {
      await service.end();
    }
  },
};

async function rateFrom(orders: number, work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const lines = await work();
  if (lines < orders) throw new Error(`Expected ${orders} orders, received ${lines} lines`);
  return (lines * 1000) / (performance.now() - start);
}

function downloadCsv({ signers }: Bench, baseUrl: string): Promise<number> {
  const { path, headers } = signedGet(signers.large, `/orders/export?${noFilters}`);
  return new Promise((resolve, reject) => {
    request(baseUrl + path, { headers: { ...headers, accept: 'text/csv' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The export responded with ${response.statusCode}`));
      countLines(response).then(resolve, reject);
    })
      .on('error', reject)
      .end();
  });
}

async function copyOut(databaseUrl: string, query: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET search_path = keyfront');
    return await countLines(client.query(copyTo(`COPY (${query}) TO STDOUT`)));
  } finally {
    await client.end();
  }
}

async function countLines(stream: AsyncIterable<Buffer> | IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++;
  }
  return lines;
}

/** Records the query behind the CSV file. */
async function recordQuery(bench: Bench): Promise<string> {
  const recorder = await startStatementRecorder(bench.store.loginUrl);
  const service = await startService(settingsFor({ ...bench.store, loginUrl: recorder.url }));
  try {
    await downloadCsv(bench, service.baseUrl);
    const query = recorder
      .take()
      .map(
        (statement) =>
          /^(?:DECLARE \w+ [\w ]*CURSOR FOR|COPY \()\s*(SELECT .*?)\)?(?: TO STDOUT.*)?$/s.exec(
            inlineValues(statement),
          )?.[1],
      )
      .find((found) => found?.includes('orders.invoice_number'));
    if (!query) throw new Error('The query of the export was not recorded');
    return query;
  } finally {
    await service.end();
    await recorder.close();
  }
}
