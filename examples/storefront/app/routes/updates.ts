import { onUpdate, shutdownSignal } from '../events.server.ts';
import { getSession } from '../session.server.ts';
import type { Route } from './+types/updates';

/** So that proxies do not take the connection for dead. */
const heartbeatMs = 15_000;

/** Tells the browser of a customer that something has happened, as server-sent events. The page then loads its data again. */
export async function loader({ request }: Route.LoaderArgs) {
  const clientId = (await getSession(request)).get('clientId');
  // 204 tells the browser not to connect again.
  if (!clientId) return new Response(null, { status: 204 });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      send(': connected\n\n');
      const stopListening = onUpdate(clientId, () => send('data: update\n\n'));
      const heartbeat = setInterval(() => send(': heartbeat\n\n'), heartbeatMs);
      const ended = AbortSignal.any([request.signal, shutdownSignal]);
      ended.addEventListener('abort', () => {
        stopListening();
        clearInterval(heartbeat);
        controller.close();
      });
    },
  });
  // `no-transform`: a compressed stream would arrive in blocks, and late.
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' };
  return new Response(body, { headers });
}
