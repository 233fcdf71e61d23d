import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file that is streamed as fast as the client reads it. */
export interface FileResponse {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string | Buffer>;
}

/**
 * Streams a file. An error before the first chunk becomes an ordinary error response. A later error destroys the
 * connection, so that no client mistakes a part for the whole file.
 */
export async function sendFile(reply: FastifyReply, file: FileResponse): Promise<FastifyReply> {
  const setHeaders = () =>
    reply.type(file.contentType).header('content-disposition', `attachment; filename="${file.fileName}"`);
  // HEAD needs no file.
  if (reply.request.method === 'HEAD') return setHeaders().send();
  const chunks = file.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  const whole = async function* () {
    try {
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value;
    } finally {
      // Also when the client disconnects: this releases the database connection behind the chunks.
      await chunks.return?.();
    }
  };
  return setHeaders().send(Readable.from(whole(), { objectMode: false }));
}

const mediaRange = /^\s*([\w*.+-]+\/[\w*.+-]+)\s*(?:;.*?\bq=([\d.]+))?/i;

/** Whether an `Accept` header prefers this content type to JSON. */
export function prefersContent(accept: string | undefined, contentType: string): boolean {
  let wanted = 0;
  let json = 0;
  for (const range of accept?.split(',') ?? []) {
    const [, type = '', quality = '1'] = mediaRange.exec(range) ?? [];
    const weight = Number(quality);
    if (type.toLowerCase() === contentType) wanted = Math.max(wanted, weight);
    if (type.toLowerCase() === 'application/json') json = Math.max(json, weight);
  }
  return wanted > 0 && wanted >= json;
}
