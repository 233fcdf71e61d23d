import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeMonitoringFolder, metricsToken, rulesText, startPrometheus } from '../support/prometheus.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';

const run = promisify(execFile);
const { rules }: { rules: { alert: string }[] } = parse(rulesText).groups[0];

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
    const folder = makeMonitoringFolder();
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

describe('the metrics', needs('Prometheus'), () => {
  it('give promtool no reason to warn, and every panel something to show', async () => {
    await onDemoDatabase(async (settings) => {
      const service = startService({ ...settings, METRICS_TOKEN: metricsToken });
      const base = await service.ready;
      const call = () => fetch(`${base}/public/healthStatus`);
      await call();
      const response = await fetch(`${new URL(base).origin}/metrics`, {
        headers: { authorization: `Bearer ${metricsToken}` },
      });
      const file = join(makeMonitoringFolder(), 'metrics');
      writeFileSync(file, await response.text());
      await run('sh', ['-c', `promtool check metrics <${file}`]);

      const prometheus = await startPrometheus(base);
      // Replicas, a chain and webhooks have their own below.
      await prometheus.untilPanelsShow(/^(?!chain_|database_(replica|primar)|webhook_)/, call);
      expect(await prometheus.firing()).toEqual([]);
      expect(await service.end()).toBe(0);
    });
  });
});
