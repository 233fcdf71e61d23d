import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** The same database by way of the proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/** One way to the database, seen from the proxy. */
export interface ProxiedConnection {
  /** All names of statements that the service has bound on it. */
  hasBound(statementName: string): boolean;
}

/**
 * Stands between the service and its database, and sees every answer before the service does. An answer for which
 * `isHeldBack` says so is never handed on.
 */
export async function startDatabaseProxy(
  databaseUrl: string,
  isHeldBack: (answer: Buffer, connection: ProxiedConnection) => boolean,
): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((service) => {
    let asked = '';
    const database = connectTo(Number(target.port), target.hostname);
    for (const socket of [service, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        service.destroy();
        database.destroy();
      });
    }
    service.on('data', (chunk) => {
      asked += chunk.toString('latin1');
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (!isHeldBack(chunk, { hasBound: (name) => asked.includes(`\0${name}\0`) })) service.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
