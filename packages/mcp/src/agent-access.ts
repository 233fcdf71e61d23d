import { operations, scopesOf } from '@keyfront/protocol';
import { without } from './schemas/describe-input.ts';
import type { JsonSchema } from './schemas/json-schema.ts';
import { listGroups, listTools, type OperationTool } from './tools.ts';

/** Which changes an agent makes: none, those that its user has confirmed, or all, because its client asks the user itself. */
export const changeModes = ['none', 'confirmed', 'unconfirmed'] as const;
export type ChangeMode = (typeof changeModes)[number];

/** What the caller of an MCP server may see and do. */
export interface AgentAccess {
  /** The scopes of the API key. Null: all. */
  readonly scopes: ReadonlySet<string> | null;
  readonly changes: ChangeMode;
  /** The groups of tools that there are. Null: all. */
  readonly groups: ReadonlySet<string> | null;
}

const optionNames = ['changes', 'tools'];

/** Reads `changes` and `tools` from the query of the address. Returns a sentence if something is wrong with them. */
export function readAgentOptions(
  query: URLSearchParams,
): { readonly changes: ChangeMode; readonly groups: ReadonlySet<string> | null } | string {
  // What is misspelt or ambiguous might allow more than its user wants.
  const unknownOption = [...query.keys()].find((name) => !optionNames.includes(name));
  if (unknownOption !== undefined)
    return `The options are ${optionNames.join(' and ')}, not ${unknownOption}`;
  const repeated = optionNames.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return `${repeated} must be given once`;
  const changes = query.get('changes') ?? 'confirmed';
  if (!isChangeMode(changes)) return `changes must be one of ${changeModes.join(', ')}`;
  const names = query.get('tools')?.split(',') ?? null;
  const groups = listGroups();
  const unknown = names?.find((name) => !groups.includes(name));
  if (unknown !== undefined) return `tools must name groups of ${groups.join(', ')}`;
  return { changes, groups: names && new Set(names) };
}

function isChangeMode(text: string): text is ChangeMode {
  return (changeModes as readonly string[]).includes(text);
}

/** The tools that an agent is offered. Those that its key could not call would only take room. */
export function offeredTools(access: AgentAccess): OperationTool[] {
  return [...listTools().values()].filter(
    (tool) =>
      (access.changes !== 'none' || tool.isReadOnly) &&
      isSelected(access, tool) &&
      tool.scopes.every((scope) => mayUse(access, scope)),
  );
}

/** Whether a tool is in one of the groups that the address names. */
export function isSelected({ groups }: AgentAccess, { group }: OperationTool): boolean {
  return groups === null || groups.has(group);
}

/** Personal data of customers is what the scope to read clients is for. */
export function showsPersonalData(access: AgentAccess): boolean {
  return scopesOf(operations.listClients).every((scope) => mayUse(access, scope));
}

/** The arguments of a tool that the agent may use. By filters on personal data it would learn what it may not see, guess by guess. */
export function inputFor({ inputSchema, parts }: OperationTool, access: AgentAccess): JsonSchema {
  if (showsPersonalData(access) || parts.personalFilters.length === 0) return inputSchema;
  const { properties = {} } = inputSchema;
  return { ...inputSchema, properties: without(properties, parts.personalFilters) };
}

/** What is wrong with arguments that `inputFor` leaves out. */
export function findHiddenArguments(
  { parts }: OperationTool,
  given: Readonly<Record<string, unknown>>,
  access: AgentAccess,
): string[] {
  if (showsPersonalData(access)) return [];
  const [scope] = scopesOf(operations.listClients);
  return parts.personalFilters
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name} looks into personal data, which needs the scope ${scope}`);
}

export function mayUse({ scopes }: AgentAccess, scope: string): boolean {
  return scopes === null || scopes.has(scope);
}
