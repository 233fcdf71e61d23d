import { ServerError } from '../errors.ts';
import { attempt } from './attempt.ts';
import { readAnswer } from './read-answer.ts';
import type { RequestToSend, Transport } from './transport.ts';

/**
 * The bytes of a CSV file, asked for when the first of them is read. An answer that breaks off in the middle makes the
 * stream fail: a part is never taken for the whole.
 */
export function readFile(transport: Transport, request: RequestToSend): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const { signal } = request;
  const { timeoutMs } = transport;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          reader ??= await transport.send(request, openBody);
          const current = reader;
          // The time limit is for each piece: a large file may take as long as it keeps coming.
          const piece = await attempt({ url: transport.baseUrl, timeoutMs, signal }, (ending) =>
            unlessAborted(current.read(), ending),
          );
          if (piece.done) controller.close();
          else controller.enqueue(piece.value);
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

async function openBody(response: Response): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const isFile = response.status === 200 && response.headers.get('content-type')?.startsWith('text/csv');
  if (isFile && response.body) return response.body.getReader();
  // Throws what the answer stands for, unless it is a success of another kind.
  await readAnswer(response);
  throw new ServerError('The answer is not the file that was asked for', { status: response.status });
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
