import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const faults = [
  'reset before the service has heard of it',
  'reset while the service works on it',
  'reset when the service has answered',
  'cut in the middle of the answer',
  'replaced by a 503 before the service has heard of it',
  'replaced by a 503 when the service has answered',
  'late',
] as const;
export type Fault = (typeof faults)[number];

export interface FlakyProxy {
  readonly origin: string;
  /** How often each of them happened. */
  readonly counts: ReadonlyMap<Fault | 'passed', number>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const lateMs = 15;

/** Stands between a caller and the service; `choose` says for each request what happens to it, null for nothing. */
export async function startFlakyProxy(target: string, choose: () => Fault | null): Promise<FlakyProxy> {
  const counts = new Map<Fault | 'passed', number>();
  const server = createServer((incoming, outgoing) => {
    void pass(target, choose(), incoming, outgoing, counts).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function pass(
  target: string,
  fault: Fault | null,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  counts: Map<Fault | 'passed', number>,
): Promise<void> {
  counts.set(fault ?? 'passed', (counts.get(fault ?? 'passed') ?? 0) + 1);
  const body = await readAll(incoming);
  if (fault === 'reset before the service has heard of it') return reset(outgoing);
  if (fault === 'replaced by a 503 before the service has heard of it') return replace(outgoing);
  const asked = ask(target, incoming, body);
  if (fault === 'reset while the service works on it') reset(outgoing);
  const answer = await asked;
  if (fault === 'reset when the service has answered') return reset(outgoing);
  if (fault === 'replaced by a 503 when the service has answered') return replace(outgoing);
  if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs));
  if (outgoing.destroyed) return;
  outgoing.writeHead(answer.status, answer.headers);
  if (fault !== 'cut in the middle of the answer') {
    outgoing.end(answer.body);
    return;
  }
  outgoing.write(answer.body.subarray(0, answer.body.length / 2), () => reset(outgoing));
}

function reset(outgoing: ServerResponse): void {
  outgoing.socket?.resetAndDestroy();
}

/** As Envoy does it: no envelope, no JSON, no advice. */
function replace(outgoing: ServerResponse): void {
  outgoing.writeHead(503, { 'content-type': 'text/plain' });
  outgoing.end('upstream connect error or disconnect/reset before headers');
}

function ask(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(target + url, { method, headers }, (answer) => {
      readAll(answer).then(
        (content) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }),
        reject,
      );
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
