import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer, type ServerDependencies } from './create-server.ts';

type AgentCaller = Pick<ServerDependencies, 'access' | 'call' | 'confirmations'>;

/** Answers one HTTP request of an MCP client, whose body was parsed. */
export type AnswerRequest = (request: Request, body: unknown, caller: AgentCaller) => Promise<Response>;

/**
 * Creates the handler of the HTTP endpoint. It keeps nothing between two requests, so any instance of the service may answer any of
 * them. It offers no subscriptions: they would be streams that never end.
 */
export function createHandler(
  dependencies: Pick<ServerDependencies, 'version' | 'readGuides'>,
  onError: (error: Error) => void,
): AnswerRequest {
  const callers = new WeakMap<Request, AgentCaller>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (!caller) throw new Error('The request has no caller');
      return createServer({ ...dependencies, ...caller });
    },
    { maxSubscriptions: 0, onerror: onError },
  );
  return (request, parsedBody, caller) => {
    callers.set(request, caller);
    return handler.fetch(request, { parsedBody });
  };
}
