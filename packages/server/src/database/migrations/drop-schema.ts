import { setTimeout as delay } from 'node:timers/promises';
import { queueSchema } from '../connection/queue-settings.ts';
import { explainStartFailure } from '../connection/start-failure.ts';
import { defaultTiming, MigrationSession } from './migration-session.ts';

/** Deletes all tables of the service with their data. Returns false, and changes nothing, if other sessions use the database. */
export async function dropSchema(ownerUrl: string): Promise<boolean> {
  const session = await MigrationSession.open({ url: ownerUrl, timing: defaultTiming, signal: undefined });
  try {
    if (!(await isAlone(session))) return false;
    await session.query(`DROP SCHEMA IF EXISTS keyfront, ${queueSchema} CASCADE`);
    return true;
  } catch (error) {
    throw explainStartFailure(ownerUrl, error);
  } finally {
    await session.close();
  }
}

/** Whether no other session uses the database. Those that this process has just closed may take a moment to end. */
async function isAlone(session: MigrationSession): Promise<boolean> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const [others] = await session.query<{ exist: boolean }>(
      `SELECT EXISTS (
         SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
       ) AS exist`,
    );
    if (others?.exist === false) return true;
    await delay(100);
  }
  return false;
}
