import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Endpoints of webhooks on the loopback interface. */
export interface WebhookEndpoints {
  /** Adds an endpoint. Without a time to answer in, it never answers. */
  add(answersAfterMs: number | null): WebhookEndpoint;
  close(): Promise<void>;
}

export interface WebhookEndpoint {
  readonly url: string;
  /** The ids of the events that it has answered. */
  readonly answered: ReadonlySet<string>;
}

export async function startWebhookEndpoints(): Promise<WebhookEndpoints> {
  const handlers: ((id: string, response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const id = String(request.headers['webhook-id']);
    request.on('end', () => handlers[Number(request.url?.slice(1))]?.(id, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    add: (answersAfterMs) => {
      const answered = new Set<string>();
      const number = handlers.push((id, response) => {
        if (answersAfterMs === null) return;
        setTimeout(() => {
          answered.add(id);
          response.end();
        }, answersAfterMs);
      });
      return { url: `http://127.0.0.1:${port}/${number - 1}`, answered };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
