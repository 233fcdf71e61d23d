import { getKeyfront } from '../../session/keyfront.ts';
import type { BuiltRequest } from './build-request.ts';
import { readReason } from './read-reason.ts';

export interface ExplorerResponse {
  readonly status: number;
  readonly durationMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Why a 401 did not accept the credentials. Null for any other response. */
  readonly reason: string | null;
}

/** Sends a request as the SDK makes it, once, and returns the response as it came. */
export async function sendRequest({ method, path, query, body }: BuiltRequest): Promise<ExplorerResponse> {
  const request = await getKeyfront().sign(method, path, { query, ...(body ? { body } : {}) });
  const started = performance.now();
  const response = await fetch(request.url, {
    method,
    headers: request.headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    durationMs: performance.now() - started,
    headers: Object.fromEntries(response.headers),
    text,
    reason: readReason(text),
  };
}
