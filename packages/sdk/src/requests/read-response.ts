import { docsUrlFor } from '../docs-url.ts';
import { ConnectionError, KeyfrontError, ServerError } from '../errors.ts';
import { errorFromResponse } from './error-from-response.ts';
import { readRetryAfter } from './retry-after.ts';

interface Envelope {
  readonly success: boolean;
  readonly code?: unknown;
  readonly message: unknown;
  readonly reason?: unknown;
  readonly data: unknown;
}

/** Returns the `data` of a success, and throws the error that any other response stands for. */
export async function readResponse<Data>(response: Response, baseUrl: string): Promise<Data> {
  rejectRedirect(response);
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get('content-type')?.split(';')[0]?.trim() || 'no content type';
  const value = parseJson(text);
  const code = isEnvelope(value) && typeof value.code === 'string' ? value.code : null;
  const details = {
    status,
    code,
    requestId: headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
  if (value === undefined && response.ok && type === 'application/json') {
    throw new ConnectionError('The response was cut off: its JSON is incomplete', details);
  }
  if (!isEnvelope(value)) {
    throw new ServerError(
      `The response (${status}, ${type}) does not come from Keyfront: a proxy sent it, or baseUrl is the URL of another service`,
      details,
    );
  }
  // The service serialises responses with the schemas that the types are generated from.
  if (response.ok && value.success) return value.data as Data;
  throw errorFromResponse(value, headers.get('www-authenticate'), {
    ...details,
    docsUrl: docsUrlFor(baseUrl, { status, code }),
  });
}

/** Redirects are not followed: `fetch` would send the credentials to the new location. */
function rejectRedirect({ type, status }: Response): void {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return;
  throw new KeyfrontError('The response is a redirect, which the client does not follow: correct baseUrl', {
    status: status || null,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'success' in value &&
    typeof value.success === 'boolean' &&
    'message' in value &&
    'data' in value
  );
}
