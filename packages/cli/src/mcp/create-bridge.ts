import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  isInputRequiredResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type SendMessage, ServiceRefusal } from './service-messages.ts';

export interface BridgeOptions {
  readonly version: string;
  /** What the service tells agents about itself. */
  readonly instructions: string;
}

/**
 * The server of the agent on this machine. It passes each message on to the service, which has the tools, checks the key and asks for
 * confirmations. Clients that speak an older version of the protocol are asked by this server on behalf of the service.
 */
export function createBridge(send: SendMessage, { version, instructions }: BridgeOptions): Server {
  const server = new Server(
    { name: 'keyfront', title: 'Keyfront', version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  const pass = (method: string, { mcpReq }: ServerContext, params?: Readonly<Record<string, unknown>>) => {
    // A client says in each request what it can do, or said it once when the connection began.
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const said = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
    const capabilities = said as ClientCapabilities;
    return send({ method, ...(params && { params }), capabilities, signal: mcpReq.signal });
  };
  server.setRequestHandler('tools/list', async (_request, context) => {
    const { tools } = await pass('tools/list', context);
    return { tools: tools as never[] };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { inputResponses, requestState } = context.mcpReq;
    const state = requestState<string>();
    const call = {
      name: params.name,
      arguments: params.arguments ?? {},
      ...(inputResponses && { inputResponses }),
      ...(state !== undefined && { requestState: state }),
    };
    try {
      return toResult(await pass('tools/call', context, call));
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      return toFailure(error);
    }
  });
  server.setRequestHandler('resources/list', async (_request, context) => {
    const { resources } = await pass('resources/list', context);
    return { resources: resources as never[] };
  });
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const { contents } = await pass('resources/read', context, { uri: params.uri });
    return { contents: contents as never[] };
  });
  return server;
}

function toResult(result: Record<string, unknown>): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(result)) return result;
  const { content, structuredContent, isError } = result as CallToolResult;
  return {
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError && { isError }),
  };
}

function toFailure({ code, message }: ServiceRefusal): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: { code, message } }) }] };
}
