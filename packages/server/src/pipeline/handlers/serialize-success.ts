import { success } from '@keyfront/protocol';
import type { FastifyReply } from 'fastify';

export const jsonType = 'application/json; charset=utf-8';

/** Serializes a success by the schema of the route. */
export function serializeSuccess(reply: FastifyReply, status: number, data: unknown): string {
  return String(reply.serializeInput({ ...success(status, data) }, String(status)));
}
