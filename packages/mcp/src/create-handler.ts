import { createMcpHandler, isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
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
  return async (request, parsedBody, caller) => {
    // The SDK would refuse it as one subscription too many, and a client would try again.
    if (isJSONRPCRequest(parsedBody) && parsedBody.method === 'subscriptions/listen')
      return methodNotFound(parsedBody.id);
    callers.set(request, caller);
    return handler.fetch(request, { parsedBody });
  };
}

/** As the SDK answers any other method that there is not. */
function methodNotFound(id: string | number): Response {
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
}
