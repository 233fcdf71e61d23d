import { randomUUID } from 'node:crypto';
import { takesIdempotencyKey } from '@keyfront/protocol';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import {
  type AgentAccess,
  findHiddenArguments,
  inputFor,
  isSelected,
  offeredTools,
  showsPersonalData,
} from './agent-access.ts';
import { type ConfirmationStates, confirm } from './confirmation.ts';
import { type CallOperation, findArgumentIssues, toOperationRequest } from './operation-request.ts';
import { type Guide, listResources, readResource } from './resources.ts';
import { failed, toToolResult, untrustedNotice } from './tool-results.ts';
import { annotate, listTools, type OperationTool } from './tools.ts';

export interface ServerDependencies {
  readonly version: string;
  readonly access: AgentAccess;
  readonly call: CallOperation;
  readonly confirmations: ConfirmationStates;
  readonly readGuides: () => Promise<readonly Guide[]>;
}

const instructions =
  'Keyfront is a shop platform: a holder sells strains to clients, who order. Each tool is one operation of its API. Lists come in ' +
  `pages: ask for few with take, and follow nextCursor or page. A change may need the agreement of the user. ${untrustedNotice}`;

/**
 * Creates the MCP server of one caller. It is the plain server and not the one with registered tools: that would compile every schema
 * for each request, and the service validates the input anyway.
 */
export function createServer({
  version,
  access,
  call,
  confirmations,
  readGuides,
}: ServerDependencies): Server {
  const server = new Server(
    { name: 'keyfront', title: 'Keyfront', version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: offeredTools(access).map((tool) => describeTool(tool, access)),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = listTools().get(params.name);
    if (!tool || !isSelected(access, tool))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const canAsk = capabilitiesOf(server, context).elicitation !== undefined;
    return callTool(tool, params.arguments ?? {}, { access, call, confirmations, canAsk, context });
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: listResources(await readGuides(), access),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }) =>
    readResource(params.uri, await readGuides(), access, call),
  );
  return server;
}

/** What the client can do: it says so in each request, or said so once when a connection began. */
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return (envelope[CLIENT_CAPABILITIES_META_KEY] ??
    server.getClientCapabilities() ??
    {}) as ClientCapabilities;
}

function describeTool(tool: OperationTool, access: AgentAccess): Tool {
  const { id, summary, description } = tool.operation;
  return {
    name: id,
    title: summary,
    description: description ? `${summary}. ${description}` : summary,
    inputSchema: inputFor(tool, access) as Tool['inputSchema'],
    outputSchema: viewOf(tool, access).schema as NonNullable<Tool['outputSchema']>,
    annotations: annotate(tool),
  };
}

interface ToolCall extends Pick<ServerDependencies, 'access' | 'call' | 'confirmations'> {
  /** Whether the client can ask its user. */
  readonly canAsk: boolean;
  readonly context: ServerContext;
}

async function callTool(
  tool: OperationTool,
  given: Readonly<Record<string, unknown>>,
  { access, call, confirmations, canAsk, context }: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  const issues = [...findArgumentIssues(tool, given), ...findHiddenArguments(tool, given, access)];
  if (issues.length > 0) return failed('VALIDATION_FAILED', 'Validation failed', issues);
  let idempotencyKey: string = randomUUID();
  if (!tool.isReadOnly && access.changes !== 'unconfirmed') {
    if (access.changes === 'none') return failed('CHANGES_NOT_ALLOWED', readOnly);
    if (!canAsk) return failed('CONFIRMATION_UNAVAILABLE', cannotAsk);
    const { inputResponses: responses, requestState } = context.mcpReq;
    const confirmation = confirm(tool, given, { responses, state: requestState<string>() }, confirmations);
    if (confirmation.kind === 'asked') return confirmation.question;
    if (confirmation.kind === 'declined') return failed('CONFIRMATION_DECLINED', declined);
    ({ idempotencyKey } = confirmation);
    // With an Idempotency-Key, the service returns the first result again.
    if (!takesIdempotencyKey(tool.operation) && !(await confirmations.useOnce(idempotencyKey)))
      return failed('CONFIRMATION_USED', used);
  }
  const response = await call(toOperationRequest(tool, given, idempotencyKey));
  return toToolResult(tool, viewOf(tool, access), response);
}

const readOnly = 'This connection only reads. Its user has to allow changes where it is set up';
const cannotAsk =
  'A change needs the agreement of the user, and this client cannot ask for it. Its user may allow unconfirmed changes where it is set up';
const used =
  'The user has agreed to this change once, and it was tried. Read what became of it, and call the tool again to ask anew';
const declined = 'The user does not want this change. Nothing was changed';

function viewOf({ results }: OperationTool, access: AgentAccess) {
  return showsPersonalData(access) ? results.withPersonalData : results.withoutPersonalData;
}
