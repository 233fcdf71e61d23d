import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What the network between the service and its database does. */
export const networkFaults = [
  'resets all connections',
  'loses the next response of each connection',
  'refuses connections',
  'forwards nothing',
  'is slow',
] as const;
export type NetworkFault = (typeof networkFaults)[number];

export interface FaultProxy {
  /** The URL of the database by way of the proxy. */
  readonly url: string;
  /** Applies a fault until `heal` is called. */
  fail(fault: NetworkFault): void;
  /** Forwards normally again. Connections that a fault has affected are reset. */
  heal(): void;
  /** Finds the connections on which the service has sent this text, by the ports from which they come to the database. */
  find(text: string): number[];
  /** Loses everything on these connections for ever, and tells neither side when the other one closes, like a router that forgot them. */
  silence(ports: readonly number[]): void;
  /** Connects to another server from now on, and resets all connections. */
  switchTo(port: number): void;
  close(): Promise<void>;
}

const slowMs = 100;

interface Link {
  readonly service: Socket;
  readonly database: Socket;
  isAffected: boolean;
  isSilent: boolean;
  /** What the service has sent first: the texts of statements are readable in it. */
  sent: string;
}

/** A connection that listens says so among the first things. */
const rememberedLength = 10_000;

/** Forwards connections on the loopback interface to a database, and fails as it is told. */
export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  let targetPort = Number(new URL(databaseUrl).port);
  let fault: NetworkFault | null = null;
  const links = new Set<Link>();

  const reset = (link: Link) => {
    links.delete(link);
    link.service.resetAndDestroy();
    link.database.destroy();
  };
  const forward = (link: Link, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (link.isSilent) return;
      if (from === link.service && link.sent.length < rememberedLength) link.sent += chunk.toString('latin1');
      if (fault !== null) link.isAffected = true;
      if (fault === 'forwards nothing') return;
      if (fault === 'loses the next response of each connection' && from === link.database) {
        reset(link);
        return;
      }
      const send = () => {
        if (!to.destroyed && !to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      };
      // Timers of the same length fire in order, so the chunks stay in order too.
      if (fault === 'is slow') setTimeout(send, slowMs);
      else send();
    });
    const unlessSilent = (act: () => void) => () => {
      if (!link.isSilent) act();
    };
    from.on(
      'end',
      unlessSilent(() => to.end()),
    );
    from.on(
      'error',
      unlessSilent(() => reset(link)),
    );
    from.on(
      'close',
      unlessSilent(() => reset(link)),
    );
  };
  // A side that has ended must not end the other one if the connection is silent.
  const server = createServer({ allowHalfOpen: true }, (service) => {
    if (fault === 'refuses connections') {
      service.resetAndDestroy();
      return;
    }
    const database = connect(targetPort, '127.0.0.1');
    const link: Link = { service, database, isAffected: false, isSilent: false, sent: '' };
    links.add(link);
    forward(link, service, link.database);
    forward(link, link.database, service);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const resetAll = () => {
    for (const link of links) reset(link);
  };
  return {
    url: url.toString(),
    fail: (next) => {
      fault = next;
      if (next === 'resets all connections' || next === 'refuses connections') resetAll();
    },
    heal: () => {
      // Bytes of these connections may be lost, and a slow one may still have chunks under way.
      for (const link of links) if (link.isAffected) reset(link);
      fault = null;
    },
    find: (text) =>
      [...links]
        .filter(({ sent, isSilent }) => !isSilent && sent.includes(text))
        .flatMap(({ database }) => database.localPort ?? []),
    silence: (ports) => {
      for (const link of links) if (ports.includes(link.database.localPort ?? 0)) link.isSilent = true;
    },
    switchTo: (port) => {
      targetPort = port;
      resetAll();
    },
    close: () =>
      new Promise((resolve) => {
        resetAll();
        server.close(() => resolve());
      }),
  };
}
