import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface Balancer {
  readonly origin: string;
  /** How many requests ended with an error of the balancer itself. */
  readonly failures: number;
  /** Requests of callers that each instance has responded to, by its origin. */
  readonly counts: ReadonlyMap<string, number>;
  /** Sends requests to this instance as soon as it is ready. */
  add(origin: string): void;
  remove(origin: string): void;
  close(): Promise<void>;
}

const checkIntervalMs = 100;

/**
 * Divides requests among the instances whose `/health/ready` says 200, as a load balancer does. A request that reached
 * no instance is given to the next one. Any other failure is a 502.
 */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const instances = new Map<string, boolean>();
  const counts = new Map<string, number>();
  let failures = 0;
  let turn = 0;

  const check = async (origin: string): Promise<void> => {
    const isReady = await fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (instances.has(origin)) instances.set(origin, isReady);
  };
  const timer = setInterval(() => {
    for (const origin of instances.keys()) void check(origin);
  }, checkIntervalMs);

  const listReady = () => [...instances].filter(([, isReady]) => isReady).map(([origin]) => origin);
  const server = createServer((incoming, outgoing) => {
    const ready = listReady();
    turn++;
    const order = ready.map((_, index) => ready[(turn + index) % ready.length] ?? '');
    void pass(incoming, outgoing, order).catch(() => outgoing.destroy());
  });
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse, order: string[]) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    for (const origin of order) {
      try {
        const response = await forward(agent, origin, incoming, Buffer.concat(chunks));
        counts.set(origin, (counts.get(origin) ?? 0) + 1);
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        return await pipeline(response, outgoing);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) break;
      }
    }
    failures++;
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    get failures() {
      return failures;
    },
    counts,
    add: (origin) => {
      instances.set(origin, false);
      void check(origin);
    },
    remove: (origin) => {
      instances.delete(origin);
    },
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(
  agent: Agent,
  origin: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
    const outgoing = request(`${origin}${url}`, { method, headers: kept, agent });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
