import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './error-code.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { ServerProcess } from './server-process.ts';

const pollMs = 20;
const connectTimeoutMs = 5_000;
const cannotConnectNow = '57P03';
const startingCodes = [cannotConnectNow, 'ECONNREFUSED', 'ECONNRESET'];
const invalidPassword = '28P01';

/** Connects as soon as the server accepts connections. Returns null if it exits first or the deadline passes. */
export async function connectWhenReady(
  server: ServerProcess,
  cluster: string,
  url: string,
  deadline: number,
): Promise<Client | null> {
  while (server.exit() === null && Date.now() < deadline) {
    // Another process may listen on the port. Only the server's own status file proves that the password goes to it.
    const file = await readPostmasterFile(cluster);
    if (file?.pid === server.pid && file.isReady) {
      const client = await connect(url, cluster);
      if (client !== null) {
        return client;
      }
    }
    await delay(pollMs);
  }
  return null;
}

async function connect(url: string, cluster: string): Promise<Client | null> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // An 'error' event without a listener ends the process. The pending query rejects as well.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const code = errorCode(error) ?? '';
    if (startingCodes.includes(code)) {
      return null;
    }
    if (code === invalidPassword) {
      throw new EmbeddedPostgresError(
        'WRONG_PASSWORD',
        `The cluster ${cluster} was created with another password for its owner`,
        { cause: error },
      );
    }
    throw error;
  }
}
