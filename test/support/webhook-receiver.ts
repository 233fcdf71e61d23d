import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver got. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** Ways in which endpoints behave badly, and one in which they behave well. */
export const behaviours = {
  ok: (response) => response.end('thank you'),
  error: (response) => response.writeHead(500).end(`${'x'.repeat(3000)}`),
  gone: (response) => response.writeHead(410).end(),
  hang: () => undefined,
  close: (response) => response.destroy(),
  redirect: (response) => response.writeHead(302, { location: '/ok' }).end(),
  // One byte of a header every 20 ms, for ever.
  slow: (response) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\nx: ');
    const timer = setInterval(() => socket?.write('y'), 20);
    socket?.on('error', () => undefined);
    socket?.on('close', () => clearInterval(timer));
  },
  // A complete head, and a body that never ends.
  endlessBody: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('z'), 20);
    response.on('close', () => clearInterval(timer));
  },
  garbage: (response) => response.socket?.end('this is not HTTP\r\n\r\n'),
} as const satisfies Record<string, Behaviour>;

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** In the order in which they came, also those that were answered badly. */
  readonly received: ReceivedDelivery[];
  /** What the paths do. A path without an entry accepts everything. */
  readonly paths: Map<string, Behaviour>;
  at(path: string): ReceivedDelivery[];
  close(): Promise<void>;
}

/** Starts an endpoint for webhooks on the loopback interface. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const paths = new Map<string, Behaviour>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    received.push({
      path,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    (paths.get(path) ?? behaviours.ok)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    paths,
    at: (path) => received.filter((each) => each.path === path),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
