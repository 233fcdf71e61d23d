import { connect } from 'node:net';
import type pg from 'pg';
import { errorCode } from '../error-code.ts';
import { type ClientConnection, ClientDisconnected } from './client-connection.ts';

/** Most queries are over sooner than their end could be asked for. */
const worthWhileMs = 50;
const cancelRequestCode = 80_877_102;
const cancelledState = '57014';
/** A server that takes longer than that to hear of it has other troubles. */
const patienceMs = 2_000;

/** What a client knows of the process that works for it. The published types leave it out. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Runs the work on a connection, and has its query cancelled when nobody waits for it any more: what was given up
 * would go on burning the database.
 */
export async function cancelOnDisconnect<Result>(
  client: pg.PoolClient,
  presence: ClientConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  if (presence.isGone) throw new ClientDisconnected();
  let cancelling: Promise<void> | null = null;
  let pause: NodeJS.Timeout | undefined;
  const stopListening = presence.onGone(() => {
    pause = setTimeout(() => {
      cancelling = sendCancel(client as unknown as Backend);
    }, worthWhileMs);
  });
  try {
    return await work();
  } catch (error) {
    // Said of a query that takes too long, too, after which the connection is not trusted. This one has done nothing.
    if (cancelling && errorCode(error) === cancelledState) throw new ClientDisconnected();
    throw error;
  } finally {
    stopListening();
    clearTimeout(pause);
    if (cancelling) await settle(client, cancelling);
  }
}

/**
 * PostgreSQL takes it on a connection of its own, and shows by closing it that the request was passed on. Whether that
 * was in time nobody can tell.
 */
function sendCancel({ host, port, processID, secretKey }: Backend): Promise<void> {
  const message = Buffer.alloc(16);
  for (const [index, word] of [message.length, cancelRequestCode, processID, secretKey].entries()) {
    message.writeInt32BE(word, index * 4);
  }
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.end(message);
    socket.resume();
  });
}

/** A request that comes too late hits whatever runs next: that shall be nothing of anybody's. */
async function settle(client: pg.PoolClient, cancelling: Promise<void>): Promise<void> {
  await cancelling;
  await client.query('').catch(() => undefined);
}
