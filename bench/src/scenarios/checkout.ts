import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, poolSize, sha256, signHeaders } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import type { LoadRequest } from '../processes/load.ts';
import { findPgbench, runPgbench, writeScript } from '../processes/pgbench.ts';
import { settingsFor, startService } from '../processes/service.ts';
import {
  inlineValues,
  type RecordedStatement,
  startStatementRecorder,
} from '../processes/statement-recorder.ts';
import { shareOf } from '../report/row.ts';
import { runs } from '../sizes.ts';
import { idOf, sqlIdOf } from '../store/ids.ts';
import { fillCarts, sqlCartStrains, tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Checkouts of carts with three lines, each with an Idempotency-Key. */
export const checkout: Scenario = {
  name: 'checkout',
  measure: async (bench) => {
    const { sizes, store, service } = bench;
    const pgbench = findPgbench();
    if (!pgbench) {
      throw new Error(
        'pgbench was not found: install the PostgreSQL client programs, set PGBENCH, or use --only.',
      );
    }
    await fillCarts(store.client, tokens.large, sizes.clients);
    // Every order uses another client: client 0 for the recording, then those of the service, then those of pgbench.
    const warmUpOrders = Math.ceil(sizes.ordersPlacedInRun / 4);
    const ordersPerSide = warmUpOrders + runs * sizes.ordersPlacedInRun;
    const requests = Array.from({ length: ordersPerSide }, (_, n) => checkoutRequest(bench, 1 + n));
    const list = bench.registerRequests(requests);
    const recorded = await recordCheckout(bench);
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-pgbench-'));
    try {
      const scriptFile = await writeScript(folder, pgbenchScript(recorded));
      let next = 1 + ordersPerSide;
      const runLimit = async (orders: number) => {
        const first = next;
        const transactionsPerConnection = Math.ceil(orders / poolSize);
        next += transactionsPerConnection * poolSize;
        return runPgbench(pgbench, {
          databaseUrl: store.loginUrl,
          scriptFile,
          connections: poolSize,
          transactionsPerConnection,
          variables: { first, sessions: poolSize, turn: -1 },
          settings: { role: 'keyfront_service', search_path: 'keyfront' },
        });
      };
      const runService = (responses: number) =>
        bench.measureRate(service.baseUrl, list, { until: { responses } });
      const { order, limit } = await measureInterleaved(
        { order: () => runService(sizes.ordersPlacedInRun), limit: () => runLimit(sizes.ordersPlacedInRun) },
        { order: () => runService(warmUpOrders), limit: () => runLimit(warmUpOrders) },
      );
      return [
        {
          // The id is older than the name of the scenario. It stays, so that old results can be compared.
          id: 'placing orders',
          what: 'POST /dapp/orders, 3 lines, Idempotency-Key',
          figure: { value: order, unit: 'req/s' },
          limit: {
            what: 'pgbench, the same statements, prepared, in the same pipelines',
            value: limit,
            unit: 'tx/s',
          },
          judged: shareOf(order, limit, 0.5),
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function checkoutRequest({ signers }: Bench, n: number): LoadRequest {
  const body = JSON.stringify({ clientId: idOf('client', tokens.large, n) });
  return {
    method: 'POST',
    path: '/dapp/orders',
    headers: {
      ...signHeaders(signers.large, body),
      'content-type': 'application/json',
      'idempotency-key': keyOf(n),
    },
    body,
  };
}

/** Makes idempotency keys unique across runs on the same database. */
const series = `${Date.now()}`;
const keyOf = (n: number | string) => `order ${series} ${n}`;

interface RecordedCheckout {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly statements: readonly RecordedStatement[];
}

/** Records the statements of one checkout, with client 0. */
async function recordCheckout(bench: Bench): Promise<RecordedCheckout> {
  const recorder = await startStatementRecorder(bench.store.loginUrl);
  const service = await startService(settingsFor({ ...bench.store, loginUrl: recorder.url }));
  try {
    const { path, ...request } = checkoutRequest(bench, 0);
    recorder.take();
    const response = await fetch(service.baseUrl + path, request as RequestInit);
    if (response.status !== 201) throw new Error(`The checkout responded with ${response.status}`);
    const { data } = (await response.json()) as { data: { id: string; invoiceNumber: string } };
    const statements = recorder.take();
    const begin = statements.findIndex(({ text }) => text.startsWith('BEGIN'));
    const commit = statements.findIndex(({ text }) => text === 'COMMIT');
    return { ...data, statements: statements.slice(begin, commit + 1) };
  } finally {
    await service.end();
    await recorder.close();
  }
}

/** Returns a script that replays the statements in the same pipelines, with expressions for values that differ by order. */
function pgbenchScript({ id, invoiceNumber, statements }: RecordedCheckout): string[] {
  const list = (items: readonly string[]) => `{${items.map((item) => `"${item}"`).join(',')}}`;
  // In the order of the locations, as the service sends them.
  const sorted = (ids: readonly string[]) => `ARRAY(SELECT unnest(ARRAY[${ids.join(', ')}]) ORDER BY 1)`;
  const strains = [0, 167, 334];
  const expressions = new Map([
    [id, ':orderId'],
    [invoiceNumber, `('PGBENCH-${series}-' || :n)`],
    [idOf('client', tokens.large, 0), sqlIdOf('client', tokens.large, ':n')],
    [`\\x${sha256(keyOf(0)).toString('hex')}`, `sha256(('${keyOf('')}' || :n)::bytea)`],
    [idOf('cart', tokens.large, 0), sqlIdOf('cart', tokens.large, ':n')],
    [
      list(strains.map((strain) => idOf('strain', 0, strain))),
      sorted(sqlCartStrains(':n').map((strain) => sqlIdOf('strain', 0, strain))),
    ],
    // The customers of the bench live in Germany, and these are the ids of the German locations.
    [
      list(strains.map((strain) => idOf('location', 0, 2 * strain))),
      sorted(sqlCartStrains(':n').map((strain) => sqlIdOf('location', 0, `2 * (${strain})`))),
    ],
    [
      list(strains.map((strain) => `Strain ${strain}`)),
      `ARRAY[${sqlCartStrains(':n')
        .map((strain) => `'Strain ' || ${strain}`)
        .join(', ')}]`,
    ],
  ]);
  // Later statements use the result of this one, so it runs between the two pipelines.
  const lookup = statements.findIndex(({ text }) => text.includes('"orderId"'));
  const write = (part: readonly RecordedStatement[]) =>
    part.map((statement) => `${oneLine(inlineValues(statement, (value) => expressions.get(value)))};`);
  return [
    '\\set turn :turn + 1',
    '\\set n :first + :turn * :sessions + :client_id',
    '\\startpipeline',
    ...write(statements.slice(0, lookup)),
    '\\endpipeline',
    `${write(statements.slice(lookup, lookup + 1))
      .join('')
      .replace(/;$/, '')} \\gset`,
    '\\startpipeline',
    ...write(statements.slice(lookup + 1)),
    '\\endpipeline',
  ];
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
