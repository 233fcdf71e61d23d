import type { SuccessEnvelope } from '@keyfront/protocol';
import { ConnectionError, KeyfrontError, ServerError } from '../errors.ts';
import { errorOf } from './error-of.ts';
import { readRetryAfter } from './retry-after.ts';

/** The `data` of a success; throws what any other answer stands for. */
export async function readAnswer<Data>(response: Response): Promise<Data> {
  refuseRedirect(response);
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
  };
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() || 'no type';
  const value = parseJson(text);
  if (value === undefined && response.ok && type === 'application/json') {
    throw new ConnectionError('The answer broke off: it is not whole JSON', facts);
  }
  if (!isEnvelope(value)) {
    throw new ServerError(
      `The answer (${response.status}, ${type}) does not come from a Keyfront but from something before it, ` +
        'or baseUrl is the address of another service',
      facts,
    );
  }
  // The types of the operations are what the service validates its answers with.
  if (response.ok && value.success) return value.data as Data;
  throw errorOf(value, response.headers.get('www-authenticate'), facts);
}

/** `fetch` would hand the credentials on to wherever a redirect points. */
function refuseRedirect(response: Response): void {
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return;
  throw new KeyfrontError('The address answers with a redirect, which is not followed: correct baseUrl', {
    status: response.status || null,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(
  value: unknown,
): value is Pick<SuccessEnvelope<unknown>, 'message' | 'data'> & { success: boolean } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'success' in value &&
    typeof value.success === 'boolean' &&
    'message' in value &&
    'data' in value
  );
}
