import { ServerError } from '../errors.ts';
import { readResponse } from './read-response.ts';
import type { RequestToSend, Transport } from './transport.ts';

/**
 * Streams a file of this type. The request is sent when the stream is first read. If the response is cut off, the stream fails, so
 * that a part is never taken for the whole file.
 */
export function readFileStream(
  transport: Transport,
  request: RequestToSend,
  contentType: string,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          reader ??= await transport.send(request, (response) =>
            openBody(response, contentType, transport.baseUrl),
          );
          const current = reader;
          // The time limit applies to each chunk: a large file may take as long as chunks keep arriving.
          const chunk = await transport.attempt(
            (signal) => rejectOnAbort(current.read(), signal),
            request.signal,
          );
          if (chunk.done) controller.close();
          else controller.enqueue(chunk.value);
        } catch (error) {
          await reader?.cancel().catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function openBody(
  response: Response,
  contentType: string,
  baseUrl: string,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const isFile = response.status === 200 && response.headers.get('content-type')?.startsWith(contentType);
  if (isFile && response.body) return response.body.getReader();
  // Throws the error of the response, unless it is a success of another content type.
  await readResponse(response, baseUrl);
  throw new ServerError(`The response is not of type ${contentType}`, { status: response.status });
}

function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
