import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findFreePort } from '../../faults/src/processes/free-port.ts';
import { until } from './until.ts';

export const metricsToken = 'a token for the metrics of tests';

const path = (file: string) => new URL(`../../deploy/monitoring/${file}`, import.meta.url);
export const rulesText = readFileSync(path('alerts.yaml'), 'utf8');
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

export function makeMonitoringFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-monitoring-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Prometheus {
  /** Lists the alerts that fire. */
  firing(): Promise<string[]>;
  /** Waits until an alert fires. `meanwhile` goes on to cause it. */
  untilFires(alert: string, meanwhile?: () => Promise<unknown>): Promise<void>;
  /** Waits until the panels that use a metric of this name show something. `meanwhile` gives them something to show. */
  untilPanelsShow(metric: RegExp, meanwhile?: () => Promise<unknown>): Promise<void>;
}

/**
 * Starts Prometheus with our alert rules on a service, for one test. Minutes are seconds in them, and an alert that demands ten seconds
 * demands one.
 */
export async function startPrometheus(serviceUrl: string): Promise<Prometheus> {
  const folder = makeMonitoringFolder();
  const faster = rulesText
    .replaceAll(/for: \d+m/g, 'for: 1s')
    .replaceAll(/\[\d+m\]/g, '[10s]')
    .replaceAll(/(?<=_seconds\{job="keyfront"\}\) > )\d+/g, (seconds) => String(Number(seconds) / 10));
  writeFileSync(join(folder, 'alerts.yaml'), faster);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [
      {
        job_name: 'keyfront',
        authorization: { credentials: metricsToken },
        static_configs: [{ targets: [new URL(serviceUrl).host] }],
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const address = `127.0.0.1:${await findFreePort()}`;
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
  const get = async <Data>(apiPath: string): Promise<Data> => {
    const response = await fetch(`http://${address}/api/v1/${apiPath}`);
    const { status, error, data } = (await response.json()) as Answer<Data>;
    expect([apiPath, status, error]).toEqual([apiPath, 'success', undefined]);
    return data;
  };
  const firing = async () => {
    const { alerts } = await get<{ alerts: Alert[] }>('alerts');
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  };
  return {
    firing,
    untilFires: async (alert, meanwhile) => {
      await until(
        async () => {
          await meanwhile?.();
          return firing();
        },
        (alerts) => alerts.includes(alert),
      ).catch((error) => expect.fail(`${alert} does not fire: ${error}`));
    },
    untilPanelsShow: async (metric, meanwhile) => {
      for (const { title, targets } of panels) {
        for (const { expr } of targets) {
          const query = expr.replaceAll('$job', 'keyfront').replaceAll('$__rate_interval', '10s');
          const used = [...query.matchAll(/\b(\w+)\{/g)].map(([, name = '']) => name);
          if (!used.some((name) => metric.test(name))) continue;
          await until(
            async () => {
              await meanwhile?.();
              return get<{ result: object[] }>(`query?${new URLSearchParams({ query })}`);
            },
            ({ result }) => result.length > 0,
          ).catch((error) => expect.fail(`The panel "${title}" shows nothing: ${error}`));
        }
      }
    },
  };
}
