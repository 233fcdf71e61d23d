import type { Database } from '../../database/database.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { rememberSandbox } from './installation-queries.ts';

/**
 * Refuses to start a sandbox on a database that is none, and the other way round: in a sandbox nobody has paid, and its holders may delete
 * what others must keep.
 */
export async function verifyInstallation(database: Database, isSandbox: boolean): Promise<void> {
  const wasSandbox = await rememberSandbox(database, isSandbox);
  if (wasSandbox === isSandbox) return;
  throw new StartError(
    isSandbox
      ? 'KEYFRONT_SANDBOX is on, but the database was not created by a sandbox: set DATABASE_URL or KEYFRONT_DATA to an empty database, ' +
          'or remove KEYFRONT_SANDBOX.'
      : 'The database belongs to a sandbox, where nothing is really paid: set KEYFRONT_SANDBOX=on, or set DATABASE_URL or KEYFRONT_DATA ' +
          'to another database.',
  );
}
