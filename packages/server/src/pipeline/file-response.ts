import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file that is sent piece by piece, as fast as the caller takes it. */
export interface FileResponse {
  readonly contentType: string;
  readonly fileName: string;
  readonly pieces: AsyncIterable<string | Buffer>;
}

/**
 * Sends a file. What goes wrong before its first piece is answered as any other error; what goes wrong later breaks the
 * connection off, so that nobody takes the part for the whole.
 */
export async function sendFile(reply: FastifyReply, file: FileResponse): Promise<FastifyReply> {
  const describe = () =>
    reply.type(file.contentType).header('content-disposition', `attachment; filename="${file.fileName}"`);
  // Whoever asks for the headers alone gets them, and no file is made to be thrown away.
  if (reply.request.method === 'HEAD') return describe().send();
  const pieces = file.pieces[Symbol.asyncIterator]();
  const first = await pieces.next();
  const whole = async function* () {
    try {
      for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
    } finally {
      // Also when the caller has gone: what the pieces come from must be let go.
      await pieces.return?.();
    }
  };
  return describe().send(Readable.from(whole(), { objectMode: false }));
}

const mediaRange = /^\s*([\w*.+-]+\/[\w*.+-]+)\s*(?:;.*?\bq=([\d.]+))?/i;

/** Whether the caller asks for this type of content before JSON. */
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
