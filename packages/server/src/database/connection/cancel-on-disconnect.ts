import { connect } from 'node:net';
import type pg from 'pg';
import { errorCode } from '../../lib/errors/error-code.ts';
import { type ClientConnection, ClientDisconnected } from '../../lib/request/client-connection.ts';

/** A query that ends within this time is not cancelled: most queries take less than a cancel request does. */
const cancelAfterMs = 50;
const cancelRequestCode = 80_877_102;
const queryCanceled = '57014';
const cancelTimeoutMs = 2_000;

/** What pg knows about its server process. The published types leave it out. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Runs the work, and cancels its running query in the database when the client disconnects. Otherwise queries that nobody
 * waits for would keep the database busy.
 */
export async function cancelOnDisconnect<Result>(
  client: pg.PoolClient,
  clientConnection: ClientConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  if (clientConnection.isClosed) throw new ClientDisconnected();
  let cancelling: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stopListening = clientConnection.onClose(() => {
    timer = setTimeout(() => {
      cancelling = sendCancelRequest(client);
    }, cancelAfterMs);
  });
  try {
    return await work();
  } catch (error) {
    // A query that exceeds its timeout fails with the same code, and then the connection is not reused. This one can be.
    if (cancelling && errorCode(error) === queryCanceled) throw new ClientDisconnected();
    throw error;
  } finally {
    stopListening();
    clearTimeout(timer);
    if (cancelling) await settle(client, cancelling);
  }
}

/**
 * Sends the request on a connection of its own, as the protocol requires. PostgreSQL closes that connection once it has
 * signalled the server process; whether the query was still running is not reported.
 */
export function sendCancelRequest(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  const message = Buffer.alloc(16);
  for (const [index, word] of [message.length, cancelRequestCode, processID, secretKey].entries()) {
    message.writeInt32BE(word, index * 4);
  }
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.end(message);
    socket.resume();
  });
}

/** A late request cancels whatever runs next on the connection, so an empty query runs before the next real one. */
async function settle(client: pg.PoolClient, cancelling: Promise<void>): Promise<void> {
  await cancelling;
  await client.query('').catch(() => undefined);
}
