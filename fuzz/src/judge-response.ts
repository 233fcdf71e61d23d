import { errorTable, maximumIssues } from '@keyfront/protocol';
import type { FuzzedRequest } from './fuzzed-request.ts';
import type { RawResponse } from './raw-connection.ts';

/** A refused request gets no larger response than this. */
const maximumRefusalBytes = 16 * 1024;

const statusByCode = new Map(Object.entries(errorTable).map(([code, { status }]) => [code, status]));

/** Returns what is wrong with a response; null if nothing is. */
export function judgeResponse(request: FuzzedRequest, response: RawResponse): string | null {
  const { status, headers, sizeBytes } = response;
  if (status >= 500) return `status ${status}`;
  if (status < 200) return 'no valid status line';
  if (!headers.get('x-request-id')) return 'no x-request-id';
  if (status < 400) return judgeSuccess(request, response);
  if (sizeBytes > maximumRefusalBytes) return `a refusal of ${sizeBytes} bytes`;
  if (!isJson(response)) return `a refusal of type ${headers.get('content-type')}`;
  return request.method === 'HEAD' ? null : judgeRefusal(response);
}

function judgeSuccess({ method, target }: FuzzedRequest, response: RawResponse): string | null {
  const isOfApi = /^(?:https?:\/\/[^/]*)?\/api\/v1\//.test(target) && !target.includes('/openapi.json');
  if (!isOfApi || method === 'HEAD' || response.status !== 200 || !isJson(response)) return null;
  const envelope = parseJson(response);
  const isValid = envelope?.success === true && envelope.statusCode === response.status && 'data' in envelope;
  return isValid ? null : 'a success without envelope';
}

function judgeRefusal(response: RawResponse): string | null {
  const envelope = parseJson(response);
  if (!envelope) return 'a refusal that is not JSON';
  const { success, statusCode, code, message, data } = envelope;
  if (success !== false || statusCode !== response.status) return 'a refusal without envelope';
  if (typeof code !== 'string' || statusByCode.get(code) !== response.status) return `the code ${code}`;
  if (typeof message !== 'string' || message === '') return 'a refusal without message';
  const isIssueList = code === 'VALIDATION_FAILED' && Array.isArray(data) && data.length > 0;
  if (data !== null && !isIssueList) return 'a refusal with data';
  return isIssueList && data.length > maximumIssues ? `${data.length} issues` : null;
}

function isJson({ headers }: RawResponse): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}

/** The object in the body of a response; null if there is none. */
export function parseJson({ body }: RawResponse): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
