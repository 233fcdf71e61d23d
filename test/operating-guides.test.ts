import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operationList } from '@keyfront/protocol';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createReaderMetrics } from '../packages/server/src/chain/reader-metrics.ts';
import { Database } from '../packages/server/src/database/database.ts';
import { addLogMetrics, openStdout } from '../packages/server/src/http/log-output.ts';
import { createMetrics } from '../packages/server/src/http/metrics.ts';
import { createConcurrencyLimits } from '../packages/server/src/pipeline/concurrency-limits.ts';
import { addDeliveryMetrics } from '../packages/server/src/resources/webhooks/delivery/delivery-metrics.ts';
import { settings } from '../packages/server/src/settings.ts';
import { startTestApp, testMetricsToken } from './support/test-app.ts';
import { createTestDatabase } from './support/test-database.ts';

const folder = fileURLToPath(new URL('../docs/operating/', import.meta.url));
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The blocks of a page in a language, without the indentation of a list. */
const blocksOf = (name: string, language: string) =>
  [...read(name).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

describe('the guide to operating', () => {
  it('names operations that exist', () => {
    const known = operationList.map(({ method, path }) => `${method} ${path}`);
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`?\s]*)[^`]*`/g)].map(
        ([, method, path]) => `${method} ${path}`,
      ),
    );
    expect(named.filter((each) => !known.includes(each))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('tells how to change every secret', () => {
    const secrets = Object.keys(settings).filter((name) =>
      /SECRET|TOKEN$|_KEY$|_KEY_ID$|HEADERS|(DATABASE|REDIS|RPC).*URL$/.test(name.replace(/_PREVIOUS$/, '')),
    );
    const page = read('secrets.md');
    const missing = secrets.filter((name) => !page.includes(name.replace(/_PREVIOUS$/, '')));
    expect(missing).toEqual([]);
  });

  it('lists every metric, and no other', async () => {
    const test = await createTestDatabase();
    const database = new Database({ url: test.loginUrl, replicaUrls: [test.loginUrl], poolSize: 1 });
    try {
      const { registry, ...metrics } = createMetrics(database);
      metrics.watchConcurrencyLimits(createConcurrencyLimits(database));
      metrics.watchStreams(() => 0);
      addLogMetrics(registry, openStdout());
      createReaderMetrics(registry);
      addDeliveryMetrics(registry, async () => ({ count: 0, oldestAt: null }));
      const names = registry.getMetricsAsArray().map(({ name }) => name);
      const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
      const listed = [...read('README.md').matchAll(/^\| (`[a-z_`, ]+`) \| /gm)]
        .flatMap(([, cell = '']) => cell.split(', ').map((name) => name.replaceAll('`', '')))
        .filter((name) => name.includes('_'));
      expect(listed.toSorted()).toEqual(own.toSorted());
    } finally {
      await database.close();
      await test.drop();
    }
  });
});

describe('the commands of the incident handbook', () => {
  it('run on a service and its database', async () => {
    const app = await startTestApp();
    const client = new pg.Client({ connectionString: app.ownerUrl });
    try {
      await client.connect();
      const statements = ['incidents.md', 'privacy.md', 'sizing.md'].flatMap((page) => blocksOf(page, 'sql'));
      expect(statements.length).toBeGreaterThan(8);
      for (const statement of statements) await client.query(statement);
      const commands = blocksOf('incidents.md', 'sh').flatMap((block) => block.trim().split('\n'));
      expect(commands.length).toBeGreaterThan(3);
      for (const command of commands) {
        const { stdout } = await promisify(execFile)(
          'sh',
          ['-c', command.replaceAll('https://shop.example', app.origin)],
          { env: { PATH: process.env.PATH, METRICS_TOKEN: testMetricsToken } },
        );
        expect(stdout, command).not.toBe('');
      }
    } finally {
      await client.end();
      await app.close();
    }
  });

  it('change roles as the guide to secrets says', async () => {
    const { ownerUrl, drop } = await createTestDatabase('nothing');
    const client = new pg.Client({ connectionString: ownerUrl });
    try {
      await client.connect();
      // Roles belong to the cluster, which other tests use.
      await client.query('BEGIN');
      for (const statement of blocksOf('secrets.md', 'sql')) await client.query(statement);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
      await drop();
    }
  });
});
