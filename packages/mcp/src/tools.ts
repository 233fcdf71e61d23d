import { type Operation, operationList, scopesOf } from '@keyfront/protocol';
import { describeInput, type InputParts, without } from './schemas/describe-input.ts';
import { describeResult, hasMark, type ResultView } from './schemas/describe-result.ts';
import type { JsonSchema } from './schemas/json-schema.ts';

/** An operation as a tool of an agent. */
export interface OperationTool {
  readonly operation: Operation;
  /** The noun of the operation, such as `orders`. Tools are selected by it. */
  readonly group: string;
  readonly scopes: readonly string[];
  /** Whether a call changes nothing. */
  readonly isReadOnly: boolean;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly parts: InputParts;
  /** What an agent sees that may read clients, and what any other sees. */
  readonly results: { readonly withPersonalData: ResultView; readonly withoutPersonalData: ResultView };
}

/** Why an operation is no tool. Null if it is one. */
export function findReasonToLeaveOut(operation: Operation): string | null {
  const { access, page, stream, file, upload, deprecated, response, tag } = operation;
  if (access === 'administrator') return 'An agent acts for one holder, never for the whole platform';
  if (access === 'jwt') return 'Wallets manage keys and sessions: an agent must not give itself rights';
  if (access === 'public') return 'It signs wallets in, or is about the service itself';
  if (access === 'provider') return 'Only outside providers call it';
  if (tag === 'Sandbox') return 'Only a sandbox has it, for its developer';
  if (page) return 'It is a page to print for people';
  if (stream) return 'A stream never ends; another tool lists the same';
  if (file) return 'It exports a file; another tool lists the same';
  if (upload) return 'Its body is a file';
  if (deprecated) return 'Another tool replaces it';
  if (hasMark(response, 'x-secret')) return 'Its response contains a secret, which no transcript should have';
  return null;
}

let tools: ReadonlyMap<string, OperationTool> | undefined;

/** All tools by their names, which are the ids of their operations. */
export function listTools(): ReadonlyMap<string, OperationTool> {
  tools ??= new Map(
    operationList
      .filter((operation) => findReasonToLeaveOut(operation) === null)
      .map((operation) => [operation.id, createTool(operation)]),
  );
  return tools;
}

/** The names of all groups. */
export function listGroups(): string[] {
  return [...new Set([...listTools().values()].map(({ group }) => group))];
}

function createTool(operation: Operation): OperationTool {
  const [group = ''] = operation.sdk?.split('.') ?? [];
  const { schema: inputSchema, parts } = describeInput(operation);
  return {
    operation,
    group,
    scopes: scopesOf(operation),
    isReadOnly: operation.method === 'GET',
    inputSchema,
    parts,
    results: {
      withPersonalData: requireView(operation, parts, true),
      withoutPersonalData: requireView(operation, parts, false),
    },
  };
}

function requireView(
  { id, response }: Operation,
  { fixedQuery }: InputParts,
  showsPersonalData: boolean,
): ResultView {
  // A null in place of what every request omits would say that there is nothing.
  const omitted = Object.keys(fixedQuery).filter((name) => fixedQuery[name] === 'omit');
  const { properties, ...rest }: JsonSchema = response;
  const shown = properties ? { ...rest, properties: without(properties, omitted) } : response;
  const view = describeResult(shown, showsPersonalData);
  if (!view) throw new Error(`${id} shows nothing`);
  return view;
}

/** What a client tells its user about the tool before a call. */
export function annotate({ operation, isReadOnly }: OperationTool) {
  const { summary, method, status, retry } = operation;
  if (isReadOnly) return { title: summary, readOnlyHint: true };
  return {
    title: summary,
    readOnlyHint: false,
    // What creates something leaves everything else as it is.
    destructiveHint: status !== 201 || method !== 'POST',
    idempotentHint: retry === 'safe',
  };
}
