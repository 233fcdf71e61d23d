import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeChain } from './fake-chain.ts';

export interface FakeNode {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves JSON-RPC over HTTP. `misbehave` returns true if it has responded itself. */
export async function startFakeNode(
  chain: FakeChain,
  misbehave: (response: ServerResponse, method: string) => boolean | Promise<boolean> = () => false,
): Promise<FakeNode> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (await misbehave(response, method)) return;
    let answer: object;
    try {
      answer = { result: chain.answer(method, params) };
    } catch (error) {
      answer = { error: { code: -32_000, message: String(error) } };
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
