import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';

export interface BlackHole {
  /** The same server by way of the proxy. */
  readonly url: string;
  /** How many connections were made since the proxy started. */
  readonly connectionCount: number;
  /** Drops every byte in both directions, on open connections and on new ones. Nothing is closed or refused. */
  swallow(): void;
  /** Passes the bytes of new connections. Those that were open stay silent, as behind a router that forgot them. */
  restore(): void;
  close(): Promise<void>;
}

/** Forwards connections to a database, until it becomes a network that silently loses everything. */
export async function startBlackHole(databaseUrl: string): Promise<BlackHole> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let era = 0;
  let isSwallowing = false;
  let connectionCount = 0;
  const server = createServer((service) => {
    connectionCount++;
    const openedIn = era;
    const passes = () => !isSwallowing && openedIn === era;
    const database = connectTo(Number(target.port), target.hostname);
    const join = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (chunk) => {
        if (passes()) to.write(chunk);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (passes()) to.destroy();
      });
    };
    join(service, database);
    join(database, service);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    get connectionCount() {
      return connectionCount;
    },
    swallow: () => {
      isSwallowing = true;
      era++;
    },
    restore: () => {
      isSwallowing = false;
      era++;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
