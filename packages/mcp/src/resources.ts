import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { type AgentAccess, mayUse, showsPersonalData } from './agent-access.ts';
import type { CallOperation } from './operation-request.ts';
import { listTools, type OperationTool } from './tools.ts';

/** A guide in Markdown. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

const guidePrefix = 'keyfront://guides/';
const cataloguePrefix = 'keyfront://catalogue/';

/** The catalogue is the same for every holder, so it can be read like a document. */
const catalogue: Readonly<Record<string, string>> = { strains: 'listStrains', planets: 'listPlanets' };

/** The guides, and the parts of the catalogue that the key may read. */
export function listResources(guides: readonly Guide[], access: AgentAccess): Resource[] {
  return [
    ...guides.map(({ name, title, description }) => ({
      ...{ uri: guidePrefix + name, name, title, description },
      mimeType: 'text/markdown',
    })),
    ...Object.keys(catalogue).flatMap((name) => {
      const tool = findCatalogueTool(name);
      if (!tool?.scopes.every((scope) => mayUse(access, scope))) return [];
      const { summary: title, description = '' } = tool.operation;
      return [{ uri: cataloguePrefix + name, name, title, description, mimeType: 'application/json' }];
    }),
  ];
}

/** Reads a guide, or a part of the catalogue by its operation. */
export async function readResource(
  uri: string,
  guides: readonly Guide[],
  access: AgentAccess,
  call: CallOperation,
): Promise<ReadResourceResult> {
  const guide = guides.find(({ name }) => uri === guidePrefix + name);
  if (guide) return { contents: [{ uri, mimeType: 'text/markdown', text: guide.markdown }] };
  const tool = uri.startsWith(cataloguePrefix) ? findCatalogueTool(uri.slice(cataloguePrefix.length)) : null;
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}`, { uri });
  const { method, path } = tool.operation;
  const { status, envelope } = await call({ method, target: path, idempotencyKey: null, body: null });
  if (status >= 400)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${envelope.code}: ${envelope.message}`, {
      uri,
    });
  const view = showsPersonalData(access) ? tool.results.withPersonalData : tool.results.withoutPersonalData;
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(view.show(envelope.data)) }],
  };
}

function findCatalogueTool(name: string): OperationTool | null {
  const id = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
  return (id !== undefined && listTools().get(id)) || null;
}
