import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../faults/src/processes/free-port.ts';
import { until } from './until.ts';

export interface TransactionPooler {
  /** The same database by way of the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PoolerOptions {
  /** What becomes of settings that a client asks for when it connects. PgBouncer can do both. */
  readonly startupOptions: 'refused' | 'ignored';
}

const cancelRequest = 80_877_102;
const sslRequest = 80_877_103;
const serverConnectionCount = 3;

/** A connection to PostgreSQL that serves one transaction of one client after another. */
interface ServerConnection {
  readonly socket: Socket;
  client: ClientConnection | null;
}

/**
 * Does what PgBouncer does in transaction mode, without PgBouncer: each transaction of a client runs on the server
 * connection that was idle for the longest time, and nothing is reset between two transactions.
 */
export async function startTransactionPooler(
  databaseUrl: string,
  { startupOptions }: PoolerOptions,
): Promise<TransactionPooler> {
  const servers = await Promise.all(Array.from({ length: serverConnectionCount }, () => login(databaseUrl)));
  const idle = [...servers];
  const waiting: ClientConnection[] = [];
  const sockets = new Set<Socket>();
  const assign = (): void => {
    while (idle.length > 0 && waiting.length > 0) waiting.shift()?.begin(idle.shift() as ServerConnection);
  };
  const listener = createServer((socket) => {
    sockets.add(socket);
    new ClientConnection(socket, startupOptions, {
      request: (client) => {
        waiting.push(client);
        assign();
      },
      release: (server) => {
        idle.push(server);
        assign();
      },
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: withPort(databaseUrl, (listener.address() as AddressInfo).port),
    close: () =>
      new Promise((resolve) => {
        for (const socket of [...sockets, ...servers.map((server) => server.socket)]) socket.destroy();
        listener.close(() => resolve());
      }),
  };
}

/** Logs in with pg, and takes over its socket. */
async function login(databaseUrl: string): Promise<ServerConnection> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const socket = Reflect.get(client, 'connection').stream as Socket;
  socket.removeAllListeners();
  socket.on('error', () => undefined);
  const server: ServerConnection = { socket, client: null };
  const messages = new MessageReader();
  socket.on('data', (chunk) => {
    for (const message of messages.read(chunk)) server.client?.receive(server, message);
  });
  return server;
}

interface Pool {
  request(client: ClientConnection): void;
  release(server: ServerConnection): void;
}

class ClientConnection {
  readonly #socket: Socket;
  readonly #pool: Pool;
  readonly #messages = new MessageReader();
  #server: ServerConnection | null = null;
  /** Messages that wait for a server connection. */
  #queue: Buffer[] = [];
  /** How many ReadyForQuery messages are due. */
  #due = 0;

  constructor(socket: Socket, startupOptions: PoolerOptions['startupOptions'], pool: Pool) {
    this.#socket = socket;
    this.#pool = pool;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    let isStarted = false;
    socket.on('data', (chunk) => {
      if (isStarted) return this.#send(chunk);
      const code = chunk.readInt32BE(4);
      if (code === sslRequest) return void socket.write('N');
      if (code === cancelRequest) return void socket.end();
      isStarted = true;
      this.#start(chunk, startupOptions);
    });
  }

  begin(server: ServerConnection): void {
    this.#server = server;
    server.client = this;
    for (const message of this.#queue.splice(0)) server.socket.write(message);
  }

  receive(server: ServerConnection, message: Buffer): void {
    this.#socket.write(message);
    if (message.toString('latin1', 0, 1) !== 'Z') return;
    this.#due--;
    if (this.#due > 0 || message.toString('latin1', 5, 6) !== 'I') return;
    this.#server = null;
    server.client = null;
    this.#pool.release(server);
  }

  #start(startup: Buffer, startupOptions: PoolerOptions['startupOptions']): void {
    if (startupOptions === 'refused' && startup.toString('latin1').includes('\0options\0')) {
      const fields = 'SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
      this.#socket.end(createMessage('E', Buffer.from(fields)));
      return;
    }
    this.#socket.write(
      Buffer.concat([
        createMessage('R', Buffer.alloc(4)),
        createMessage('S', Buffer.from('client_encoding\0UTF8\0')),
        createMessage('K', Buffer.alloc(8, 1)),
        createMessage('Z', Buffer.from('I')),
      ]),
    );
  }

  #send(chunk: Buffer): void {
    for (const message of this.#messages.read(chunk)) {
      const type = message.toString('latin1', 0, 1);
      if (type === 'X') return void this.#socket.end();
      if (type === 'S' || type === 'Q') this.#due++;
      if (this.#server) {
        this.#server.socket.write(message);
        continue;
      }
      if (this.#queue.length === 0) this.#pool.request(this);
      // `begin` may have been called at once.
      const server = this.#server as ServerConnection | null;
      if (server) server.socket.write(message);
      else this.#queue.push(message);
    }
  }
}

/** Cuts the bytes of a connection into messages. */
class MessageReader {
  #rest = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readInt32BE(1);
      if (this.#rest.length < length) return;
      yield this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
    }
  }
}

function createMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Starts PgBouncer in transaction mode, which the machine must have. */
export async function startPgBouncer(
  databaseUrl: string,
  { startupOptions }: PoolerOptions,
): Promise<TransactionPooler> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-pgbouncer-'));
  const ownPort = await findFreePort();
  const user = `user=${username} password='${decodeURIComponent(password)}'`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} ${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnectionCount}
${startupOptions === 'ignored' ? 'ignore_startup_parameters = options' : ''}
`,
  );
  // PgBouncer does not run as root.
  const runAs = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  await chmod(folder, 0o755);
  const child = spawn('pgbouncer', [...runAs, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  await until(
    () => log,
    (text) => text.includes('process up') || child.exitCode !== null,
  );
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`);
  return {
    url: withPort(databaseUrl, ownPort),
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function withPort(url: string, port: number): string {
  const result = new URL(url);
  result.port = String(port);
  return result.toString();
}
