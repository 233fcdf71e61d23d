import type { FastifyReply } from 'fastify';
import type { CallerScope } from '../../auth/guard.ts';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import {
  type FileResponse,
  sendFile,
  sendFileHeaders,
  sendStream,
  sendStreamHeaders,
} from '../responses/file-response.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Receiver {
  readonly scope: CallerScope;
  readonly connection: ClientConnection;
}

/** Sends a file. Its place is taken until the client has read it, or has stopped reading. */
export async function sendFileWithinLimit(
  reply: FastifyReply,
  file: FileResponse,
  { scope: { role, walletAddress }, connection }: Receiver,
  { concurrencyLimits, stallTimeoutMs }: PipelineDependencies,
): Promise<FastifyReply> {
  if (reply.request.method === 'HEAD') return sendFileHeaders(reply, file);
  const limiter = role === 'holder' ? concurrencyLimits.exports : concurrencyLimits.platformExports;
  const place = await limiter.admit(walletAddress, connection);
  return sendFile(reply, file, { stallTimeoutMs, place });
}

/** Sends a stream. Its place is taken until it ends. */
export async function sendStreamWithinLimit(
  reply: FastifyReply,
  stream: { readonly contentType: string; readonly chunks: AsyncGenerator<string> },
  { scope: { walletAddress }, connection }: Receiver,
  { concurrencyLimits: { streams }, stallTimeoutMs }: PipelineDependencies,
): Promise<FastifyReply> {
  const { contentType, chunks } = stream;
  if (reply.request.method === 'HEAD') return sendStreamHeaders(reply, contentType);
  const place = await streams.admit(walletAddress, connection);
  return sendStream(reply, contentType, chunks, { stallTimeoutMs, place });
}
