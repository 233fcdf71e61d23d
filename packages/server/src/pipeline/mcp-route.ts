import { bodyLimitOf, defaultBodyLimitBytes, operationList } from '@keyfront/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Guard } from '../auth/guard.ts';
import { ApiError } from '../lib/errors/api-error.ts';
import { targetOf } from '../lib/request/request-target.ts';
import { versionPrefix } from '../lib/request/version-prefix.ts';
import type { AgentDependencies, AgentRequest, answerAgents } from './answer-agents.ts';
import { createGuardedBodyCheck } from './check-body.ts';
import { parseJsonBody } from './input/json-body.ts';
import { requireContentType } from './input/request-body.ts';

export interface McpDependencies extends AgentDependencies {
  readonly guard: Guard;
  /** The base address as callers reach it. */
  readonly baseUrl: () => string;
  /** The origins of pages that may call the service. */
  readonly corsOrigins: readonly string[];
}

/** The second is for clients that know only the base address. */
const paths = ['/mcp', `${versionPrefix}/mcp`];

const access = 'credential';
/** A call has the body of an operation as its arguments, and little around it. */
const bodyLimit =
  defaultBodyLimitBytes +
  Math.max(...operationList.filter((operation) => operation.access === access).map(bodyLimitOf));

/** Adds the endpoint of agents, which speaks MCP over HTTP. */
export function addMcpRoutes(app: FastifyInstance, dependencies: McpDependencies): void {
  const { guard } = dependencies;
  let answering: Promise<ReturnType<typeof answerAgents>> | undefined;
  // Loaded for the first agent: a megabyte of code, which most processes never need.
  const load = () => {
    answering ??= import('./answer-agents.ts').then((module) => module.answerAgents(app, dependencies));
    return answering;
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isKnownOrigin(request, dependencies))
      return refuse(reply, 403, 'Pages of this origin may not call the service: see CORS_ORIGINS');
    const caller = await guard(request, reply, access);
    const { scope } = caller;
    if (scope.role !== 'holder') throw new ApiError('HOLDER_REQUIRED');
    requireContentType(request, ['application/json']);
    const body = parseJsonBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    // Each message counts once for the rate limit, so it comes alone.
    if (Array.isArray(body)) return refuse(reply, 400, 'Send one message in each request, not a batch');
    const answer = await load();
    const { url } = targetOf(request);
    const agent: AgentRequest = { request, body, url, caller: { ...caller, scope } };
    const response = await answer(agent);
    if (typeof response === 'string') return refuse(reply, 400, response);
    const contentType = response.headers.get('content-type');
    if (contentType !== null) reply.type(contentType);
    return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
  };
  for (const url of paths) {
    app.post(url, { bodyLimit, preParsing: createGuardedBodyCheck(access, guard), handler });
  }
}

/** A page of another origin that has made a name resolve to this machine (DNS rebinding) still sends its own origin. */
function isKnownOrigin({ headers }: FastifyRequest, { baseUrl, corsOrigins }: McpDependencies): boolean {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(baseUrl()).origin) return true;
  return corsOrigins.includes('*') || corsOrigins.includes(origin);
}

/** In the form of JSON-RPC, which clients of this route read. */
function refuse(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
}
