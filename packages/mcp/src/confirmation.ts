import { createHash, randomUUID } from 'node:crypto';
import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { OperationTool } from './tools.ts';

/** What became of the question whether a change is wanted. */
export type Confirmation =
  | { readonly kind: 'asked'; readonly question: InputRequiredResult }
  | { readonly kind: 'accepted'; readonly idempotencyKey: string }
  | { readonly kind: 'declined' };

interface Round {
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly state: string | undefined;
}

const questionName = 'confirm';

/**
 * Asks whether a change is wanted, or reads the answer. The state of the question names the change, so that a user who has agreed to
 * one does not agree to another, and the Idempotency-Key, so that an answer that arrives twice changes once.
 */
export function confirm(
  tool: OperationTool,
  given: Readonly<Record<string, unknown>>,
  { responses, state }: Round,
): Confirmation {
  const answer = inputResponse(responses, questionName);
  const digest = createHash('sha256')
    .update(JSON.stringify([tool.operation.id, given]))
    .digest('base64url');
  const [idempotencyKey, asked] = state?.split(' ') ?? [];
  if (answer.kind !== 'elicit' || idempotencyKey === undefined || asked !== digest)
    return { kind: 'asked', question: ask(tool, given, `${randomUUID()} ${digest}`) };
  return answer.action === 'accept' ? { kind: 'accepted', idempotencyKey } : { kind: 'declined' };
}

function ask(
  { operation }: OperationTool,
  given: Readonly<Record<string, unknown>>,
  requestState: string,
): InputRequiredResult {
  const message = `${operation.summary}? The agent wants to call ${operation.id} with:\n${JSON.stringify(given, null, 2)}`;
  const question = inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  return inputRequired({ inputRequests: { [questionName]: question }, requestState });
}
