import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { Server } from './server.ts';

const pollMs = 20;
const connectPatienceMs = 5_000;
const cannotConnectNow = '57P03';
const stillStartingCodes = [cannotConnectNow, 'ECONNREFUSED', 'ECONNRESET'];
const wrongPasswordCode = '28P01';

/** A connection to the server as soon as it takes one; null when the server ends before, or the time is over. */
export async function connectWhenReady(
  server: Server,
  cluster: string,
  url: string,
  giveUpAt: number,
): Promise<Client | null> {
  while (server.exit() === null && Date.now() < giveUpAt) {
    // Only the server's own word makes sure that it, and not a stranger, listens on the port and gets the password.
    const file = await readPostmasterFile(cluster);
    if (file?.pid === server.pid && file.isReady) {
      const client = await connect(url);
      if (client !== null) {
        return client;
      }
    }
    await delay(pollMs);
  }
  return null;
}

async function connect(url: string): Promise<Client | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectPatienceMs,
  });
  // Without a listener a lost connection would end the process; the query under way reports it anyway.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const code = errorCode(error) ?? '';
    if (stillStartingCodes.includes(code)) {
      return null;
    }
    if (code === wrongPasswordCode) {
      throw new EmbeddedPostgresError(
        'The embedded PostgreSQL does not accept the password that is kept for it: restore the secrets that ' +
          'belong to its cluster, or set KEYFRONT_DATA to another folder.',
      );
    }
    throw error;
  }
}
