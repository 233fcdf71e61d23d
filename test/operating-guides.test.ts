import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openStdout } from '@keyfront/log-writer';
import { operationList } from '@keyfront/protocol';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createReaderMetrics } from '../packages/server/src/chain/reader/reader-metrics.ts';
import { settings } from '../packages/server/src/config/settings.ts';
import { Database } from '../packages/server/src/database/database.ts';
import {
  addClockMetric,
  addDatabaseMetrics,
  addPrimaryMetrics,
} from '../packages/server/src/database/database-metrics.ts';
import { createConcurrencyLimits } from '../packages/server/src/limits/concurrency/concurrency-limits.ts';
import { addConcurrencyMetrics } from '../packages/server/src/limits/concurrency/concurrency-metrics.ts';
import {
  addLogMetrics,
  addVersionMetric,
  createMetrics,
} from '../packages/server/src/observability/metrics.ts';
import { addEventMetrics } from '../packages/server/src/resources/events/event-metrics.ts';
import { addDeliveryMetrics } from '../packages/server/src/resources/webhooks/delivery/delivery-metrics.ts';
import { openStorefront } from './support/storefront.ts';
import { testMetricsToken } from './support/test-app.ts';
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
  it('has every page in its index', () => {
    const listed = [...read('README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
    expect(listed.toSorted()).toEqual(pages.filter((page) => page !== 'README.md').toSorted());
  });

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
    const secrets = Object.entries(settings).flatMap(([name, { isSecret }]) => (isSecret ? name : []));
    const page = read('secrets.md');
    const missing = secrets.filter((name) => !page.includes(name.replace(/_PREVIOUS$/, '')));
    expect(missing).toEqual([]);
  });

  it('lists every metric, and no other', async () => {
    const test = await createTestDatabase();
    const database = new Database({ url: test.loginUrl, replicaUrls: [test.loginUrl], poolSize: 1 });
    try {
      const { registry } = createMetrics();
      addDatabaseMetrics(registry, database);
      addConcurrencyMetrics(registry, createConcurrencyLimits(database));
      addPrimaryMetrics(registry, { count: 1, isSuperseded: false });
      addClockMetric(registry, () => 0);
      addLogMetrics(registry, openStdout());
      addVersionMetric(registry, '1.2.3');
      createReaderMetrics(registry);
      addEventMetrics(registry, { countStreams: () => 0, readWaitingSeconds: async () => 0 });
      addDeliveryMetrics(registry, async () => ({ count: 0, oldestAt: null }));
      const names = registry.getMetricsAsArray().map(({ name }) => name);
      const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
      const listed = [...read('monitoring.md').matchAll(/^\| (`[a-z_`, ]+`) \| /gm)]
        .flatMap(([, cell = '']) => cell.split(', ').map((name) => name.replaceAll('`', '')))
        .filter((name) => name.includes('_'));
      expect(listed.toSorted()).toEqual(own.toSorted());
      const text = await registry.metrics();
      const kinds = [...text.matchAll(/^http_requests_waiting\{kind="([\w-]+)"\}/gm)].map(([, kind]) => kind);
      const row =
        read('monitoring.md').match(/^\| `http_requests_waiting` \| .* `kind`: (.*) \|$/m)?.[1] ?? '';
      expect([...row.matchAll(/`([\w-]+)`/g)].map(([, kind]) => kind)).toEqual(kinds);
      expect(text).toMatch(/^keyfront_info\{version="1\.2\.3"\} 1$/m);
    } finally {
      await database.close();
      await test.close();
    }
  });
});

/** The id of an API key in the examples. */
describe('the commands of the incident handbook', () => {
  it('find the transaction that events wait for', async () => {
    const { service } = await openStorefront();
    const [writer, administrator] = [0, 1].map(() => new pg.Client({ connectionString: service.ownerUrl }));
    const [find = ''] = blocksOf('incidents.md', 'sql').filter((block) => block.includes("'advisory'"));
    try {
      await Promise.all([writer?.connect(), administrator?.connect()]);
      await writer?.query(
        `BEGIN; INSERT INTO keyfront.events (type, snapshot) VALUES ('strain.created', '{}')`,
      );
      const { rows: own } = (await writer?.query('SELECT pg_backend_pid() AS pid')) ?? { rows: [] };
      const { rows: found } = (await administrator?.query(find)) ?? { rows: [] };
      expect(found.map(({ pid }) => pid)).toContain(own[0]?.pid);
      // Not a session of the service, which somebody would then end.
      expect(found.map((row) => row.application_name)).not.toContain('keyfront changes');
    } finally {
      await writer?.query('ROLLBACK');
      await Promise.all([writer?.end(), administrator?.end()]);
    }
  });

  it('run on a service and its database', async () => {
    const { service } = await openStorefront();
    const administrator = new pg.Client({ connectionString: service.ownerUrl });
    const platform = new pg.Client({ connectionString: service.loginUrl });
    try {
      await Promise.all([administrator.connect(), platform.connect()]);
      await platform.query('SET ROLE keyfront_platform');
      const statements = pages
        .flatMap((page) => blocksOf(page, 'sql'))
        .filter((statement) => !/CREATE ROLE|GRANT|shop_/.test(statement));
      expect(statements.length).toBeGreaterThan(15);
      for (const statement of statements) {
        const isAboutData = /keyfront\./.test(statement) && !/^ANALYZE|pg_/.test(statement);
        await (isAboutData ? platform : administrator).query(statement);
      }
      const commands = blocksOf('incidents.md', 'sh').flatMap((block) => block.trim().split('\n'));
      expect(commands.length).toBeGreaterThan(3);
      for (const command of commands) {
        const { stdout } = await promisify(execFile)(
          'sh',
          ['-c', command.replaceAll('http://10.0.0.1:3000', service.origin)],
          { env: { PATH: process.env.PATH, METRICS_TOKEN: testMetricsToken } },
        );
        expect(stdout, command).not.toBe('');
      }
    } finally {
      await Promise.all([administrator.end(), platform.end()]);
    }
  });

  it('change roles as the guide to secrets says', async () => {
    const { ownerUrl, close } = await createTestDatabase('nothing');
    const client = new pg.Client({ connectionString: ownerUrl });
    try {
      await client.connect();
      // Roles belong to the cluster, which other tests use.
      await client.query('BEGIN');
      await client.query("CREATE ROLE shop_a LOGIN PASSWORD 'an old password'");
      const statements = blocksOf('secrets.md', 'sql').filter((statement) => statement.includes('shop_'));
      expect(statements.length).toBe(2);
      for (const statement of statements) await client.query(statement);
      const { rows } = await client.query(
        "SELECT rolname, rolcanlogin FROM pg_roles WHERE rolname LIKE 'shop__' ORDER BY rolname",
      );
      expect(rows).toEqual([
        { rolname: 'shop_a', rolcanlogin: false },
        { rolname: 'shop_b', rolcanlogin: true },
      ]);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
      await close();
    }
  });
});
