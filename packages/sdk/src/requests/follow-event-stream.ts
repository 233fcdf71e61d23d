import { ConnectionError, RateLimitError, ServerError } from '../errors.ts';
import { readResponse } from './read-response.ts';
import { type ServerSentEvent, ServerSentEventParser } from './server-sent-events.ts';
import type { RequestToSend, Transport } from './transport.ts';

const contentType = 'text/event-stream';
const shortestPauseMs = 250;
const longestPauseMs = 30_000;
/** The service sends something at least every 15 seconds. */
const silenceMs = 45_000;

/**
 * Yields the messages of a stream of Server-Sent Events, also those that have only an id. Connects again after an
 * interruption, and continues after the last id. Throws what no further attempt can mend, such as a rejected
 * credential.
 */
export async function* followEventStream(
  transport: Transport,
  request: RequestToSend,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let lastId: string | null = null;
  let failures = 0;
  for (;;) {
    try {
      const headers: Record<string, string> = { ...request.headers, accept: contentType };
      if (lastId !== null) headers['last-event-id'] = lastId;
      for await (const message of readOnce(transport, { ...request, headers })) {
        lastId = message.id;
        failures = 0;
        yield message;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    failures += 1;
    await transport.pause(Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs), request.signal);
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;
}

/** Reads the messages of one connection. */
async function* readOnce(
  transport: Transport,
  request: RequestToSend,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { signal } = request;
  const reader = await transport.send(request, (response) => openBody(response, transport.baseUrl));
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const parser = new ServerSentEventParser();
    for (;;) {
      const chunk = await transport.attempt(
        (silence) => rejectOnAbort(reader.read(), silence),
        signal,
        silenceMs,
      );
      signal?.throwIfAborted();
      if (chunk.done) return;
      yield* parser.parse(chunk.value);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

async function openBody(response: Response, baseUrl: string): Promise<Reader> {
  const isStream = response.status === 200 && response.headers.get('content-type')?.startsWith(contentType);
  if (isStream && response.body) return response.body.getReader();
  // Throws the error of the response, unless it is a success of another content type.
  await readResponse(response, baseUrl);
  throw new ServerError('The response is not a stream of events', { status: response.status });
}
