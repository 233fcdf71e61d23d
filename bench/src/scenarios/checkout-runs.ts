import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, poolSize, sha256, signHeaders } from '../bench.ts';
import type { LoadRequest } from '../processes/load.ts';
import { findPgbench, type PgbenchJob, runPgbench, writeScript } from '../processes/pgbench.ts';
import { settingsFor, startService } from '../processes/service.ts';
import {
  inlineValues,
  type RecordedStatement,
  startStatementRecorder,
} from '../processes/statement-recorder.ts';
import { runs } from '../sizes.ts';
import { idOf, sqlIdOf } from '../store/ids.ts';
import { fillCarts, sqlCartStrains, tokens } from '../store/seed.ts';
import type { Signer } from '../store/signer.ts';
import { createPlainFunction } from './plain-function.ts';

/** Checkouts of carts with three lines, each with an Idempotency-Key, by services and by pgbench. */
export interface CheckoutRuns {
  /** Returns functions that run checkouts at this service, and return their rate. Each set has clients of its own. */
  prepareService(baseUrl: string): CheckoutRun;
  /** The same statements by pgbench. */
  readonly limit: CheckoutRun;
  /** The same rows by a plain function, by pgbench. */
  readonly plainFunction: CheckoutRun;
}

export interface CheckoutRun {
  measure(): Promise<number>;
  warmUp(): Promise<number>;
}

/** Prepares carts and the statements of a checkout, and removes its files after the work. */
export async function withCheckoutRuns<Result>(
  bench: Bench,
  work: (checkouts: CheckoutRuns) => Promise<Result>,
): Promise<Result> {
  const { sizes, store } = bench;
  const pgbench = findPgbench();
  if (!pgbench) {
    throw new Error(
      'pgbench was not found: install the PostgreSQL client programs, set PGBENCH, or use --only.',
    );
  }
  await fillCarts(store.client, tokens.large, sizes.clients);
  series = `${Date.now()}`;
  // Every order uses another client. Client 0 is for the recording.
  let nextClient = 1;
  const takeClients = (count: number) => {
    const first = nextClient;
    nextClient += count;
    if (nextClient > sizes.clients) throw new RangeError('There are too few clients for the checkouts');
    return first;
  };
  const warmUpOrders = Math.ceil(sizes.ordersPlacedInRun / 4);
  const ordersPerSide = warmUpOrders + runs * sizes.ordersPlacedInRun;
  const eachRun = (run: (orders: number) => Promise<number>): CheckoutRun => ({
    measure: () => run(sizes.ordersPlacedInRun),
    warmUp: () => run(warmUpOrders),
  });
  const recorded = await recordCheckout(bench);
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-bench-pgbench-'));
  try {
    const replay = await writeScript(folder, 'replay', pgbenchScript(recorded));
    const plain = await writeScript(folder, 'plain', plainScript(recorded));
    await store.client.query(createPlainFunction);
    const byPgbench = (job: Pick<PgbenchJob, 'databaseUrl' | 'scriptFile' | 'settings'>) =>
      eachRun((orders) => {
        const transactionsPerConnection = Math.ceil(orders / poolSize);
        return runPgbench(pgbench, {
          ...job,
          connections: poolSize,
          transactionsPerConnection,
          variables: {
            first: takeClients(transactionsPerConnection * poolSize),
            sessions: poolSize,
            turn: -1,
          },
        });
      });
    return await work({
      prepareService: (baseUrl) => {
        const first = takeClients(ordersPerSide);
        const list = bench.registerRequests(
          Array.from({ length: ordersPerSide }, (_, n) => checkoutRequest(bench, first + n)),
        );
        return eachRun((responses) => bench.measureRate(baseUrl, list, { until: { responses } }));
      },
      limit: byPgbench({
        databaseUrl: store.loginUrl,
        scriptFile: replay,
        settings: { role: 'keyfront_service', search_path: 'keyfront' },
      }),
      plainFunction: byPgbench({ databaseUrl: store.ownerUrl, scriptFile: plain, settings: {} }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checkoutRequest({ signers }: Bench, n: number): LoadRequest {
  return makeCheckoutRequest(signers.large, n, keyOf(n));
}

/** The checkout of the cart of one client of the large holder. */
export function makeCheckoutRequest(signer: Signer, client: number, idempotencyKey: string): LoadRequest {
  const body = JSON.stringify({ clientId: idOf('client', tokens.large, client) });
  return {
    method: 'POST',
    path: '/dapp/orders',
    headers: {
      ...signHeaders(signer, body),
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body,
  };
}

/** Makes idempotency keys and invoice numbers unique across runs on the same database. */
let series = '';
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

/** Sets `n` to another client in each transaction. */
const nextOrder = ['\\set turn :turn + 1', '\\set n :first + :turn * :sessions + :client_id'];

/** Returns a script that replays the statements in the same pipelines, with expressions for values that differ by order. */
function pgbenchScript({ id, invoiceNumber, statements }: RecordedCheckout): string[] {
  // The service sends an array of orders, here with one order, and arrays of their lines.
  const list = (items: readonly string[]) => `{${items.map((item) => `"${item}"`).join(',')}}`;
  const array = (items: readonly string[]) => `ARRAY[${items.join(', ')}]`;
  const strains = [0, 167, 334];
  const ofOrder = (value: string, expression: string): [string, string] => [
    list([value]),
    array([expression]),
  ];
  const ofLines = (value: string, expression: string): [string, string] => [
    list(strains.map(() => value)),
    array(strains.map(() => expression)),
  ];
  const clientId = idOf('client', tokens.large, 0);
  const cartId = idOf('cart', tokens.large, 0);
  const cartExpression = sqlIdOf('cart', tokens.large, ':n');
  const expressions = new Map([
    ofOrder(id, 'CAST(:orderId AS uuid)'),
    ofLines(id, 'CAST(:orderId AS uuid)'),
    ofOrder(cartId, cartExpression),
    ofLines(cartId, cartExpression),
    ofOrder(clientId, sqlIdOf('client', tokens.large, ':n')),
    ofOrder(invoiceNumber, `('PGBENCH-${series}-' || :n)`),
    // pg does not quote bytes.
    [`{\\\\x${sha256(keyOf(0)).toString('hex')}}`, array([`sha256(('${keyOf('')}' || :n)::bytea)`])],
  ]);
  // Strains and their locations have the same order.
  const sorted = (ids: readonly string[]) => `ARRAY(SELECT unnest(${array(ids)}) ORDER BY 1)`;
  expressions.set(
    list(strains.map((strain) => idOf('strain', 0, strain))),
    sorted(sqlCartStrains(':n').map((strain) => sqlIdOf('strain', 0, strain))),
  );
  // The customers of the bench live in Germany, and these are the ids of the German locations.
  expressions.set(
    list(strains.map((strain) => idOf('location', 0, 2 * strain))),
    sorted(sqlCartStrains(':n').map((strain) => sqlIdOf('location', 0, `2 * (${strain})`))),
  );
  expressions.set(
    list(strains.map((strain) => `Strain ${strain}`)),
    array(sqlCartStrains(':n').map((strain) => `'Strain ' || ${strain}`)),
  );
  // Later statements use the result of this one, so it runs between the two pipelines.
  const lookup = statements.findIndex(({ text }) => text.includes('"orderId"'));
  const replaced = new Set<string>();
  const expressionFor = (value: string) => {
    if (expressions.has(value)) replaced.add(value);
    return expressions.get(value);
  };
  const write = (part: readonly RecordedStatement[]) =>
    part.map((statement) => `${oneLine(inlineValues(statement, expressionFor))};`);
  const script = [
    ...nextOrder,
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
  // Otherwise all orders would have this value in common.
  const missing = [...expressions.keys()].filter((value) => !replaced.has(value));
  if (missing.length > 0) throw new Error(`No statement of a checkout has the value ${missing.join(', ')}`);
  return script;
}

/** Returns a script that calls the plain function, with the response that the service has stored. */
function plainScript({ statements }: RecordedCheckout): string[] {
  const stored = statements.find(({ text }) => text.startsWith('INSERT INTO idempotency_keys'));
  const [, columns = ''] = /\(([^)]*)\)/.exec(stored?.text ?? '') ?? [];
  const body = stored?.values[columns.split(', ').indexOf('body')]?.bytes.toString('latin1') ?? '';
  const [, response] = /\\x([0-9a-f]+)/.exec(body) ?? [];
  if (response === undefined) throw new Error('No statement of a checkout stores its response');
  return [...nextOrder, `SELECT keyfront.bench_place_order(:n, '${series}-' || :n, '\\x${response}');`];
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
