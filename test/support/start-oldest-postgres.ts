import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../faults/src/processes/free-port.ts';
import { oldestPostgres } from './oldest-postgres.ts';
import { runSql } from './test-database.ts';
import { until } from './until.ts';

interface SystemPostgres {
  /** As the superuser, in the database `postgres`. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** Starts a server of PostgreSQL 15 with a new cluster in an existing folder. Everybody may connect without a password. */
export async function startOldestPostgres(folder: string): Promise<SystemPostgres> {
  // PostgreSQL refuses to run as root. The package of Debian brings a user for it.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const identity = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const cluster = join(folder, 'cluster');
  await mkdir(cluster, { mode: 0o700 });
  for (const each of [folder, cluster])
    if (identity.uid !== undefined) await chown(each, identity.uid, identity.gid);
  execFileSync(
    `${oldestPostgres}/initdb`,
    ['--pgdata', cluster, '--username', 'root', '--auth', 'trust', '--no-sync'],
    { ...identity, cwd: folder, stdio: 'ignore' },
  );
  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    `${oldestPostgres}/postgres`,
    ['-D', cluster, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    { ...identity, cwd: folder, stdio: 'ignore' },
  );
  const ownerUrl = `postgres://root:x@127.0.0.1:${port}/postgres`;
  await until(
    () => runSql(ownerUrl, 'SELECT').catch(() => null),
    (rows) => rows !== null,
  );
  return {
    ownerUrl,
    stop: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}
