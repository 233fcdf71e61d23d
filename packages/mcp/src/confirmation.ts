import { createHash, randomUUID } from 'node:crypto';
import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { OperationTool } from './tools.ts';

/** What became of the question whether a change is wanted. */
export type Confirmation =
  | { readonly kind: 'asked'; readonly question: InputRequiredResult }
  | { readonly kind: 'accepted'; readonly idempotencyKey: string }
  | { readonly kind: 'declined' };

/** Protects the states of questions, which clients keep and send back. */
export interface ConfirmationStates {
  /** Encrypts a state, so that only a request of the same caller can bring it back. */
  encrypt(state: Buffer): Buffer;
  /** Throws if the state was not encrypted for this caller. */
  decrypt(encrypted: Buffer): Buffer;
  /** Returns whether the id is used for the first time. An id is remembered for longer than a state is valid. */
  useOnce(id: string): Promise<boolean>;
}

interface Round {
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  /** The encrypted state. */
  readonly state: string | undefined;
}

interface State {
  readonly idempotencyKey: string;
  /** Of the tool and its arguments. */
  readonly digest: string;
  readonly expiresAtMs: number;
}

const questionName = 'confirm';
/** Shorter than an Idempotency-Key is remembered: an agreement that is repeated later would change again. */
const validMs = 60 * 60 * 1000;

/**
 * Asks whether a change is wanted, or reads the answer. The state of the question names the change, so that a user who has agreed to
 * one does not agree to another, and the Idempotency-Key, so that an answer that arrives twice changes once.
 */
export function confirm(
  tool: OperationTool,
  given: Readonly<Record<string, unknown>>,
  { responses, state: sealed }: Round,
  states: ConfirmationStates,
): Confirmation {
  const answer = inputResponse(responses, questionName);
  const digest = createHash('sha256')
    .update(JSON.stringify([tool.operation.id, given]))
    .digest('base64url');
  const asked = sealed === undefined ? null : open(sealed, states);
  if (answer.kind === 'elicit' && asked?.digest === digest && asked.expiresAtMs > Date.now()) {
    const { idempotencyKey } = asked;
    return answer.action === 'accept' ? { kind: 'accepted', idempotencyKey } : { kind: 'declined' };
  }
  const state: State = { idempotencyKey: randomUUID(), digest, expiresAtMs: Date.now() + validMs };
  return { kind: 'asked', question: ask(tool, given, seal(state, states)) };
}

function seal(state: State, { encrypt }: ConfirmationStates): string {
  return encrypt(Buffer.from(JSON.stringify(state))).toString('base64url');
}

/** Null for what was not encrypted for this caller. */
function open(sealed: string, { decrypt }: ConfirmationStates): State | null {
  try {
    return JSON.parse(decrypt(Buffer.from(sealed, 'base64url')).toString());
  } catch {
    return null;
  }
}

function ask(
  { operation }: OperationTool,
  given: Readonly<Record<string, unknown>>,
  requestState: string,
): InputRequiredResult {
  const shown = JSON.stringify(given, null, 2).replaceAll(misleading, escapeCharacter);
  const message = `${operation.summary}? The agent wants to call ${operation.id} with:\n${shown}`;
  const question = inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  return inputRequired({ inputRequests: { [questionName]: question }, requestState });
}

/** Characters that are not seen, or turn the text around them: the user would agree to something else than what is sent. */
const misleading = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

/** As JSON writes it, so that the question still names the argument exactly. */
function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
