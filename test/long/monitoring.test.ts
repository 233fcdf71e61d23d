import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const path = (file: string) => new URL(`../../deploy/monitoring/${file}`, import.meta.url);
const rulesText = readFileSync(path('alerts.yaml'), 'utf8');
const { rules }: { rules: { alert: string }[] } = parse(rulesText).groups[0];
const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(path('dashboard.json'), 'utf8'),
);
/** What the API of Prometheus responds. */
interface Answer<Data> {
  readonly status: string;
  readonly error?: string;
  readonly data: Data;
}
interface Alert {
  readonly state: string;
  readonly labels: { readonly alertname: string };
}

const metricsToken = 'a token for the metrics of tests';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-monitoring-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const requests = (labels: string) =>
  `http_request_duration_seconds_count{job="keyfront", instance="a", route="/api/v1/planets", ${labels}}`;
const durations = (le: string) =>
  `http_request_duration_seconds_bucket{job="keyfront", instance="a", route="/api/v1/planets", le="${le}"}`;
const gauge = (name: string, labels = '') => `${name}{job="keyfront", instance="a"${labels}}`;
/** The same value for half an hour, and one that grows every minute. */
const constant = (value: number) => `${value}x30`;
const growing = (step: number) => `0+${step}x30`;

/** For each alert, the series that fire it and those that do not. */
const conditions: Record<string, { fires: Record<string, string>; stays: Record<string, string> }> = {
  KeyfrontDown: { fires: { [gauge('up')]: constant(0) }, stays: { [gauge('up')]: constant(1) } },
  KeyfrontErrors: {
    fires: { [requests('status="200"')]: growing(500), [requests('status="503"')]: growing(1) },
    stays: { [requests('status="200"')]: growing(2_000), [requests('status="503"')]: growing(1) },
  },
  KeyfrontSlow: {
    fires: {
      [durations('0.25')]: growing(97),
      [durations('1')]: growing(100),
      [durations('+Inf')]: growing(100),
    },
    stays: {
      [durations('0.25')]: growing(100),
      [durations('1')]: growing(100),
      [durations('+Inf')]: growing(100),
    },
  },
  KeyfrontQueueing: {
    fires: { [gauge('database_pool_connections', ', state="queued"')]: constant(1) },
    stays: { [gauge('database_pool_connections', ', state="busy"')]: constant(10) },
  },
  KeyfrontTwoPrimaries: above('database_primaries', 2, 1),
  KeyfrontPrimarySuperseded: above('database_primary_superseded', 1, 0),
  KeyfrontClockWrong: above('database_clock_difference_seconds', -6, 4),
  KeyfrontReplicaLeftOut: above('database_replica_used', 0, 1, ', replica="db2"'),
  KeyfrontReplicaLag: above('database_replica_lag_seconds', 11, 9, ', replica="db2"'),
  KeyfrontChainStopped: above('chain_reader_alarm', 1, 0),
  KeyfrontChainNodeSilent: above('chain_reader_last_contact_seconds', 200, 20),
  KeyfrontChainLag: {
    fires: { [gauge('chain_head_block')]: constant(200), [gauge('chain_reader_block')]: constant(100) },
    stays: { [gauge('chain_head_block')]: constant(200), [gauge('chain_reader_block')]: constant(190) },
  },
  KeyfrontEventsLate: above('events_waiting_seconds', 31, 29),
  KeyfrontWebhooksLate: above('webhook_oldest_pending_seconds', 61, 59),
  KeyfrontLogDropped: {
    fires: { [gauge('log_lines_dropped_total')]: growing(1) },
    stays: { [gauge('log_lines_dropped_total')]: constant(7) },
  },
  KeyfrontEventLoop: above('nodejs_eventloop_lag_p99_seconds', 0.3, 0.1),
};

function above(name: string, fires: number, stays: number, labels = '') {
  return {
    fires: { [gauge(name, labels)]: constant(fires) },
    stays: { [gauge(name, labels)]: constant(stays) },
  };
}

describe('the alert rules', needs('Prometheus'), () => {
  it('are valid, and each fires under its condition and not just below it', async () => {
    expect(Object.keys(conditions)).toEqual(rules.map(({ alert }) => alert));
    const folder = makeFolder();
    writeFileSync(join(folder, 'alerts.yaml'), rulesText);
    await run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
    const tests = Object.entries(conditions).flatMap(([alert, { fires, stays }]) =>
      [fires, stays].map((series, index) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}", alertstate="firing"})`,
            eval_time: '25m',
            exp_samples: index === 0 ? [{ labels: '{}', value: 1 }] : [],
          },
        ],
      })),
    );
    const file = join(folder, 'tests.json');
    writeFileSync(file, JSON.stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests }));
    const { stdout } = await run('promtool', ['test', 'rules', file]).catch((error) => error);
    expect(stdout).toMatch(/SUCCESS/);
  });
});

describe('Prometheus, on a service that runs', needs('Prometheus'), () => {
  it('warns of no metric, has data for every panel, and fires when requests fail and when the service is gone', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService({
        ...settings,
        METRICS_TOKEN: metricsToken,
        // Webhooks need it.
        DATA_ENCRYPTION_KEY: 'aa'.repeat(32),
      });
      const base = await service.ready;
      const { origin, host } = new URL(base);
      const call = () => fetch(`${base}/public/healthStatus`);
      await call();
      const headers = { authorization: `Bearer ${metricsToken}` };
      const scraped = await (await fetch(`${origin}/metrics`, { headers })).text();
      const folder = makeFolder();
      writeFileSync(join(folder, 'metrics'), scraped);
      await run('sh', ['-c', `promtool check metrics <${join(folder, 'metrics')}`]);

      const prometheus = await startPrometheus(folder, host);
      const ask = async (query: string) => {
        const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`);
        const { status, error, data } = (await response.json()) as Answer<{ result: object[] }>;
        expect([query, status, error]).toEqual([query, 'success', undefined]);
        return data.result;
      };
      const names = new Set([...scraped.matchAll(/^([a-z]\w*)[{ ]/gm)].map(([, name = '']) => name));
      for (const { title, targets } of panels) {
        for (const { expr } of targets) {
          const query = expr.replaceAll('$job', 'keyfront').replaceAll('$__rate_interval', '10s');
          const used = [...query.matchAll(/\b(\w+)\{/g)].map(([, name = '']) => name);
          const hasData = used.every((name) => names.has(name));
          // Without a chain, replicas and deliveries there is nothing to show: the query is executed all the same.
          if (hasData)
            await until(
              async () => {
                await call();
                return ask(query);
              },
              (result) => result.length > 0,
            ).catch((error) => expect.fail(`The panel "${title}" shows nothing: ${error}`));
          else {
            expect(
              used.filter((name) => !/^(chain_|database_replica_|webhook_attempts_total)/.test(name)),
            ).toEqual([]);
            await ask(query);
          }
        }
      }

      const firing = async () => {
        const response = await fetch(`${prometheus}/api/v1/alerts`);
        const { data } = (await response.json()) as Answer<{ alerts: Alert[] }>;
        return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
      };
      expect(await firing()).toEqual([]);
      await withoutDatabase(settings.DATABASE_OWNER_URL, async () => {
        await until(
          async () => {
            await fetch(`${base}/auth/nonce`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ walletAddress: `0x${'1'.repeat(40)}` }),
            });
            return firing();
          },
          (alerts) => alerts.includes('KeyfrontErrors'),
        );
      });
      await service.end();
      await until(firing, (alerts) => alerts.includes('KeyfrontDown'));
    });
  });
});

/** Starts Prometheus with the alert rules, in which minutes are seconds. Returns its address. */
async function startPrometheus(folder: string, target: string): Promise<string> {
  const port = await findFreePort();
  const faster = rulesText.replaceAll(/for: \d+m/g, 'for: 1s').replaceAll(/\[\d+m\]/g, '[10s]');
  writeFileSync(join(folder, 'alerts.yaml'), faster);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [
      {
        job_name: 'keyfront',
        authorization: { credentials: metricsToken },
        static_configs: [{ targets: [target] }],
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const address = `127.0.0.1:${port}`;
  const options = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', options, { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await until(
    () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isReady) => isReady,
  );
  return `http://${address}`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** The database refuses connections meanwhile. */
async function withoutDatabase(ownerUrl: string, use: () => Promise<void>): Promise<void> {
  const url = new URL(ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client(url.toString());
  await client.connect();
  const allow = (isAllowed: boolean) =>
    client.query(`ALTER DATABASE ${client.escapeIdentifier(name)} ALLOW_CONNECTIONS ${isAllowed}`);
  try {
    await allow(false);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await use();
  } finally {
    await allow(true);
    await client.end();
  }
}
