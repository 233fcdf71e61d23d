import { type ConfirmationStates, createHandler, readAgentOptions } from '@keyfront/mcp';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/guard.ts';
import type { Database } from '../database/database.ts';
import type { HolderScope } from '../database/transactions/scope.ts';
import { ApiError } from '../lib/errors/api-error.ts';
import { callOperation } from './call-operation.ts';
import { respondOnce, type Transact } from './idempotency/idempotency.ts';
import type { ResponseCipher } from './idempotency/response-cipher.ts';

export interface AgentDependencies {
  readonly database: Database;
  readonly responseCipher: ResponseCipher;
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
  readonly caller: Caller & { readonly scope: HolderScope };
}

/** Returns a function that answers agents. It returns a sentence if an option in the address is not valid. */
export function answerAgents(app: FastifyInstance, dependencies: AgentDependencies) {
  const { version, readGuides } = dependencies;
  let guides: ReturnType<typeof readGuides> | undefined;
  const readOnce = () => {
    guides ??= readGuides();
    return guides;
  };
  const answer = createHandler({ version, readGuides: readOnce }, (error) =>
    app.log.debug({ err: error }, 'A message of an agent was not accepted'),
  );
  return async ({ request, body, url, caller }: AgentRequest): Promise<Response | string> => {
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
      access: { ...options, scopes: caller.keyScopes ?? null },
      call: (operation) => callOperation(app, request, operation),
      confirmations: createConfirmations(dependencies, caller.scope, caller.credentialId),
    });
  };
}

/** Clients keep the states of confirmations, and the service remembers only which were used. */
function createConfirmations(
  { database, responseCipher: cipher }: AgentDependencies,
  { nonce: _ofTheChange, ...scope }: HolderScope,
  credentialId: string,
): ConfirmationStates {
  const context = `confirmation ${credentialId} ${scope.tokenId}`;
  const request = { method: 'POST', url: '/mcp', body: null };
  return {
    encrypt: (state) => cipher.encrypt(context, state),
    decrypt: (encrypted) => cipher.decrypt(context, encrypted),
    useOnce: async (id) => {
      const transact: Transact = (work) => database.transaction(scope, work);
      const used = { statusCode: 200, body: Buffer.from('{}'), subjectId: null };
      const call = { request, caller: { scope, credentialId }, key: id, cipher };
      try {
        return !(await respondOnce(transact, call, async () => used)).isReplayed;
      } catch (error) {
        // Another request uses it, and is not done yet.
        if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE') return false;
        throw error;
      }
    },
  };
}

const messageHeaders = ['accept', 'content-type', 'mcp-method', 'mcp-name', 'mcp-protocol-version'];
