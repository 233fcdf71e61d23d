import { startDatabase } from './database.ts';
import { getPostmasterPid } from './spawn-service.ts';

/** A PostgreSQL server that is killed, and started again at the same address. */
export interface KillableDatabase {
  readonly loginUrl: string;
  readonly ownerUrl: string;
  /** Kills the server without a warning. Its data folder stays as it is. */
  kill(): Promise<void>;
  /** Starts the server again, which recovers from its log. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server in this folder. */
export async function startKillableDatabase(dataFolder: string): Promise<KillableDatabase> {
  let current = await startDatabase(dataFolder);
  const { port, loginUrl, ownerUrl } = current;
  return {
    loginUrl,
    ownerUrl,
    kill: async () => {
      process.kill(getPostmasterPid(dataFolder), 'SIGKILL');
      // Waits until the process has ended, and releases the data folder.
      await current.stop();
    },
    restart: async () => {
      current = await startDatabase(dataFolder, port);
    },
    stop: () => current.stop(),
  };
}
