import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, poolSize, sha256, signed } from '../bench.ts';
import { measureInTurn } from '../measure/in-turn.ts';
import type { LoadRequest } from '../processes/load.ts';
import { findPgbench, runPgbench, writeScript } from '../processes/pgbench.ts';
import { settingsFor, startService } from '../processes/service.ts';
import { type RecordedStatement, startStatementRecorder, writeOut } from '../processes/statement-recorder.ts';
import { shareOf } from '../report/row.ts';
import { runs } from '../sizes.ts';
import { idOf, sqlIdOf } from '../store/ids.ts';
import { fillCarts, sqlCartStrains, tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Orders of three lines, each with an Idempotency-Key, out of carts that are full. */
export const placingOrders: Scenario = {
  name: 'placing-orders',
  measure: async (bench) => {
    const { sizes, store, service } = bench;
    const pgbench = findPgbench();
    if (!pgbench) {
      throw new Error(
        'There is no pgbench: install PostgreSQL’s programs, or name it in PGBENCH, or use --only.',
      );
    }
    await fillCarts(store.client, tokens.large, sizes.clients);
    // One client for each order: the first one is recorded, then come those of the service, then those of pgbench.
    const warmUpOrders = Math.ceil(sizes.ordersPlacedInRun / 4);
    const ordersOfOne = warmUpOrders + runs * sizes.ordersPlacedInRun;
    const requests = Array.from({ length: ordersOfOne }, (_, n) => orderOf(bench, 1 + n));
    const list = bench.handOver(requests);
    const recorded = await recordOrder(bench);
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-pgbench-'));
    try {
      const scriptFile = await writeScript(folder, pgbenchScript(recorded));
      let next = 1 + ordersOfOne;
      const byPgbench = async (orders: number) => {
        const first = next;
        const transactionsOfEach = Math.ceil(orders / poolSize);
        next += transactionsOfEach * poolSize;
        return runPgbench(pgbench, {
          databaseUrl: store.loginUrl,
          scriptFile,
          connections: poolSize,
          transactionsOfEach,
          variables: { first, sessions: poolSize, turn: -1 },
          settings: { role: 'keyfront_service', search_path: 'keyfront' },
        });
      };
      const byService = (answers: number) => bench.rateOf(service.baseUrl, list, { until: { answers } });
      const { order, limit } = await measureInTurn(
        { order: () => byService(sizes.ordersPlacedInRun), limit: () => byPgbench(sizes.ordersPlacedInRun) },
        { order: () => byService(warmUpOrders), limit: () => byPgbench(warmUpOrders) },
      );
      return [
        {
          id: 'placing orders',
          what: 'POST /dapp/orders, 3 lines, Idempotency-Key',
          figure: { value: order, unit: 'req/s' },
          limit: {
            what: 'pgbench, the same statements, prepared, in the same flights',
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

function orderOf({ signers }: Bench, n: number): LoadRequest {
  const body = JSON.stringify({ clientId: idOf('client', tokens.large, n) });
  return {
    method: 'POST',
    path: '/dapp/orders',
    headers: {
      ...signed(signers.large, body),
      'content-type': 'application/json',
      'idempotency-key': keyOf(n),
    },
    body,
  };
}

/** Another one in each run on the same database. */
const series = `${Date.now()}`;
const keyOf = (n: number | string) => `order ${series} ${n}`;

interface RecordedOrder {
  readonly id: string;
  readonly invoiceNumber: string;
  readonly statements: readonly RecordedStatement[];
}

/** What the service says to the database for one order, that of client 0. */
async function recordOrder(bench: Bench): Promise<RecordedOrder> {
  const recorder = await startStatementRecorder(bench.store.loginUrl);
  const service = await startService(settingsFor({ ...bench.store, loginUrl: recorder.url }));
  try {
    const { path, ...request } = orderOf(bench, 0);
    recorder.take();
    const answer = await fetch(service.baseUrl + path, request as RequestInit);
    if (answer.status !== 201) throw new Error(`The order was answered with ${answer.status}`);
    const { data } = (await answer.json()) as { data: { id: string; invoiceNumber: string } };
    const statements = recorder.take();
    const begin = statements.findIndex(({ text }) => text.startsWith('BEGIN'));
    const commit = statements.findIndex(({ text }) => text === 'COMMIT');
    return { ...data, statements: statements.slice(begin, commit + 1) };
  } finally {
    await service.end();
    await recorder.close();
  }
}

/** The statements with what differs from order to order set in, in as many flights as the service needs. */
function pgbenchScript({ id, invoiceNumber, statements }: RecordedOrder): string[] {
  const list = (items: readonly string[]) => `{${items.map((item) => `"${item}"`).join(',')}}`;
  const strains = [0, 167, 334];
  const expressions = new Map([
    [id, ':orderId'],
    [invoiceNumber, `('PGBENCH-${series}-' || :n)`],
    [idOf('client', tokens.large, 0), sqlIdOf('client', tokens.large, ':n')],
    [`\\x${sha256(keyOf(0)).toString('hex')}`, `sha256(('${keyOf('')}' || :n)::bytea)`],
    [
      list(strains.map((strain) => idOf('strain', 0, strain))),
      `ARRAY[${sqlCartStrains(':n')
        .map((strain) => sqlIdOf('strain', 0, strain))
        .join(', ')}]`,
    ],
    [
      list(strains.map((strain) => `Strain ${strain}`)),
      `ARRAY[${sqlCartStrains(':n')
        .map((strain) => `'Strain ' || ${strain}`)
        .join(', ')}]`,
    ],
  ]);
  const facts = statements.findIndex(({ text }) => text.includes('"orderId"'));
  const write = (part: readonly RecordedStatement[]) =>
    part.map((statement) => `${oneLine(writeOut(statement, (value) => expressions.get(value)))};`);
  return [
    '\\set turn :turn + 1',
    '\\set n :first + :turn * :sessions + :client_id',
    '\\startpipeline',
    ...write(statements.slice(0, facts)),
    '\\endpipeline',
    `${write(statements.slice(facts, facts + 1))
      .join('')
      .replace(/;$/, '')} \\gset`,
    '\\startpipeline',
    ...write(statements.slice(facts + 1)),
    '\\endpipeline',
  ];
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
