import { success } from '@keyfront/protocol';
import type { FastifyReply } from 'fastify';
import { JsonText } from '../../lib/json-text.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Serializes a success by the schema of the route. */
export function serializeSuccess(reply: FastifyReply, status: number, data: unknown): string {
  const body = String(reply.serializeInput({ ...success(status, data) }, String(status)));
  return JsonText.insert(body, data);
}
