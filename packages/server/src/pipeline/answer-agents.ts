import { createHandler, readAgentOptions } from '@keyfront/mcp';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callOperation } from './call-operation.ts';

export interface AgentDependencies {
  readonly version: string;
  readonly readGuides: Parameters<typeof createHandler>[0]['readGuides'];
}

/** A request of an agent, whose caller is known. */
export interface AgentRequest {
  readonly request: FastifyRequest;
  /** One message of JSON-RPC. */
  readonly body: unknown;
  /** Path and query. */
  readonly url: string;
  /** What the API key of the caller may do. Null: everything. */
  readonly keyScopes: ReadonlySet<string> | null;
}

/** Returns a function that answers agents. It returns a sentence if an option in the address is not valid. */
export function answerAgents(app: FastifyInstance, { version, readGuides }: AgentDependencies) {
  let guides: ReturnType<typeof readGuides> | undefined;
  const readOnce = () => {
    guides ??= readGuides();
    return guides;
  };
  const answer = createHandler({ version, readGuides: readOnce }, (error) =>
    app.log.debug({ err: error }, 'A message of an agent was not accepted'),
  );
  return async ({ request, body, url, keyScopes }: AgentRequest): Promise<Response | string> => {
    const address = new URL(url, 'http://localhost');
    const options = readAgentOptions(address.searchParams);
    if (typeof options === 'string') return options;
    // Without the credential: only the guard needs it.
    const headers = new Headers({ accept: 'application/json, text/event-stream' });
    for (const name of messageHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const message = new Request(address, { method: 'POST', headers });
    return answer(message, body, {
      access: { ...options, scopes: keyScopes },
      call: (operation) => callOperation(app, request, operation),
    });
  };
}

const messageHeaders = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
];
