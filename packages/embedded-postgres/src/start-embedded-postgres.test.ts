import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { query, startCluster, stopClusters } from '../test/test-clusters.ts';
import type { EmbeddedPostgresOptions } from './start-embedded-postgres.ts';

let base: string;
let folder: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(base, 0o755);
  folder = join(base, 'data');
});

afterEach(async () => {
  await stopClusters();
  await rm(base, { recursive: true, force: true });
});

const start = (changes: Partial<EmbeddedPostgresOptions> = {}) => startCluster(folder, changes);

it('creates the cluster, the database and the login role at the first start', async () => {
  const progress: string[] = [];
  const postgres = await start({ onProgress: (message) => progress.push(message) });
  expect(progress).toEqual([
    `Creating a PostgreSQL cluster in ${join(folder, 'postgres')}`,
    'Starting PostgreSQL',
  ]);

  const login = await query(
    postgres.loginUrl,
    `SELECT current_user AS name, current_database() AS database, rolsuper, rolcreatedb, rolcreaterole
       FROM pg_roles WHERE rolname = current_user`,
  );
  expect(login).toEqual([
    {
      name: 'app_login',
      database: 'app',
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
    },
  ]);

  const owner = await query(
    postgres.ownerUrl,
    `SELECT rolsuper, pg_get_userbyid(datdba) AS owner, datlocprovider, datlocale,
            pg_encoding_to_char(encoding) AS encoding, current_setting('server_version_num')::int / 10000 AS major,
            current_setting('listen_addresses') AS listens, current_setting('unix_socket_directories') AS sockets,
            current_setting('data_checksums') AS checksums, current_setting('max_connections') AS connections
       FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
  );
  expect(owner).toEqual([
    {
      rolsuper: true,
      owner: 'app owner',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      major: 18,
      listens: '127.0.0.1',
      sockets: '',
      checksums: 'on',
      connections: '100',
    },
  ]);
  const rules = await query(postgres.ownerUrl, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
  expect(rules).toEqual([{ auth_method: 'scram-sha-256' }]);
});

it('refuses other files and clusters of another version, and leaves them unchanged', async () => {
  const cluster = join(folder, 'postgres');
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'photos'), 'mine');
  await expect(start()).rejects.toMatchObject({
    code: 'NOT_A_CLUSTER',
    message: `The folder ${cluster} contains files that are not a PostgreSQL cluster`,
  });
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toMatchObject({
    code: 'OTHER_MAJOR_VERSION',
    message: `The cluster ${cluster} was created by PostgreSQL 17, and this is PostgreSQL 18`,
  });
  expect((await readdir(cluster)).toSorted()).toEqual(['PG_VERSION', 'photos']);
  expect((await stat(join(cluster, 'photos'))).uid).toBe(process.getuid?.());
});
