import type { KeyObject } from 'node:crypto';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { signBound } from './sign-bound.ts';

type Credential = { readonly token: string } | { readonly secretKey: KeyObject };

export interface AgentOptions {
  /** What the user says to each question. Without it, the client cannot ask. */
  readonly answer?: 'accept' | 'decline' | 'cancel';
  /** Of the address, without the `?`. */
  readonly query?: string;
  /** Speaks the protocol as it was before it had no sessions. */
  readonly isLegacy?: boolean;
}

export interface Agent {
  readonly client: Client;
  /** The questions that the user was asked. */
  readonly questions: string[];
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool that fails, and returns its error. */
  fail(name: string, args?: Record<string, unknown>): Promise<{ code: string; message: string }>;
}

/** An agent with the official client, which comes with a token, or signs each request. */
export async function connectAgent(
  origin: string,
  credential: Credential,
  options: AgentOptions = {},
): Promise<Agent> {
  const url = new URL(`/mcp${options.query ? `?${options.query}` : ''}`, origin);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: (address, init) => {
      const headers = new Headers(init?.headers);
      const request = { method: init?.method ?? 'GET', url: String(address), body: init?.body as string };
      const own =
        'token' in credential
          ? { authorization: `Bearer ${credential.token}` }
          : signBound(credential.secretKey, request);
      for (const [name, value] of Object.entries(own)) headers.set(name, value);
      return fetch(address, { ...init, headers });
    },
  });
  return startAgent(transport, options);
}

/** An agent that speaks over this transport. */
export async function startAgent(
  transport: Parameters<Client['connect']>[0],
  { answer, isLegacy = false }: AgentOptions,
): Promise<Agent> {
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: isLegacy ? 'legacy' : 'auto' },
    },
  );
  const questions: string[] = [];
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return { action: answer, ...(answer === 'accept' && { content: {} }) };
    });
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call: Agent['call'] = (name, args = {}) => client.callTool({ name, arguments: args });
  return {
    client,
    questions,
    call,
    fail: async (name, args) => {
      const result = await call(name, args);
      if (!result.isError) throw new Error(`${name} did not fail: ${JSON.stringify(result)}`);
      const [block] = result.content;
      return JSON.parse(block?.type === 'text' ? block.text : '{}').error;
    },
  };
}
