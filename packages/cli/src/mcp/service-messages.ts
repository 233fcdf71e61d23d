import { randomUUID } from 'node:crypto';
import type { Keyfront } from '@keyfront/sdk';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { isRecord } from '../is-record.ts';

/** The first version without sessions, which the service speaks. */
const protocolVersion = '2026-07-28';

/** Why the service has not read a message: the error of its response, or that there was none. */
export class ServiceRefusal extends Error {
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface ServiceMessage {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** What the client of the agent can do, such as ask its user. */
  readonly capabilities: ClientCapabilities;
  readonly signal?: AbortSignal;
}

/** Sends a message to the service and returns its result. */
export type SendMessage = (message: ServiceMessage) => Promise<Record<string, unknown>>;

/** Sends messages of the protocol to the service, each in a signed request of its own. */
export function createMessageSender(
  keyfront: Keyfront,
  fetch: typeof globalThis.fetch,
  { path, version }: { readonly path: string; readonly version: string },
): SendMessage {
  return async ({ method, params = {}, capabilities, signal }) => {
    const envelope = {
      [PROTOCOL_VERSION_META_KEY]: protocolVersion,
      [CLIENT_INFO_META_KEY]: { name: 'keyfront-cli', version },
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    };
    const body = { jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta: envelope } };
    const name = params.name ?? params.uri;
    const signed = await keyfront.sign('POST', path, {
      body,
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': protocolVersion,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': toHeaderText(name) }),
      },
    });
    const response = await fetch(signed.url, {
      method: 'POST',
      headers: signed.headers,
      body: Buffer.from(signed.body ?? ''),
      redirect: 'manual',
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ServiceRefusal(0, 'NO_RESPONSE', `The service at ${keyfront.baseUrl} does not respond`);
    });
    return readResult(response);
  };
}

/** A name as it is, or in Base64 if no header can have it or it looks like Base64 already. */
function toHeaderText(name: string): string {
  const isPlain = /^[\x21-\x7e]*$/.test(name) && !name.startsWith('=?');
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

async function readResult(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const message = parseJson(text);
  if (isRecord(message) && isRecord(message.result)) return message.result;
  if (isRecord(message) && isRecord(message.error)) {
    const { code, message: reason, data } = message.error;
    throw new ProtocolError(Number(code), String(reason), data);
  }
  const { code, message: sentence, reason } = isRecord(message) ? message : {};
  const explained = [sentence, reason].filter((each) => typeof each === 'string').join(': ');
  throw new ServiceRefusal(
    response.status,
    typeof code === 'string' ? code : 'NO_RESULT',
    explained || `The service responded with status ${response.status}, and not in the protocol`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
