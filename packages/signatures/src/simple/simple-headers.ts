import { unwrap } from '../base64.ts';
import { rejectSignature, type SignatureRejection } from '../rejection.ts';

export const apiKeyHeaderName = 'x-auth-apikey';
export const signatureHeaderName = 'x-auth-signature';

/** The two headers of the simple form, as Node has parsed them. */
export interface SimpleHeaders {
  readonly apiKeyHeader: string | readonly string[] | undefined;
  readonly signatureHeader: string | readonly string[] | undefined;
}

/** Reads the texts of the two headers. Each must be sent exactly once. */
export function readSimpleHeaders({
  apiKeyHeader,
  signatureHeader,
}: SimpleHeaders):
  | { readonly ok: true; readonly apiKey: string; readonly signature: string }
  | SignatureRejection {
  const apiKey = readHeader(apiKeyHeaderName, apiKeyHeader, 'API_KEY_MALFORMED');
  const signature = readHeader(signatureHeaderName, signatureHeader, 'SIGNATURE_MALFORMED');
  if (typeof apiKey === 'string')
    return typeof signature === 'string' ? { ok: true, apiKey, signature } : signature;
  if (typeof signature === 'string') return apiKey;
  // A header that is not there is the first thing to mend.
  const code = signature.code === 'CREDENTIALS_MISSING' ? signature.code : apiKey.code;
  return rejectSignature(code, `${apiKey.reason}; ${signature.reason}`);
}

/** Surrounding whitespace and quotes are removed. */
function readHeader(
  name: string,
  value: SimpleHeaders['apiKeyHeader'],
  malformed: 'API_KEY_MALFORMED' | 'SIGNATURE_MALFORMED',
): string | SignatureRejection {
  if (value === undefined) return rejectSignature('CREDENTIALS_MISSING', `${name} is missing`);
  // Node joins the values of a repeated header with a comma, which does not occur in Base64.
  if (typeof value !== 'string' || value.includes(','))
    return rejectSignature(malformed, `${name} must be sent once`);
  return unwrap(value) || rejectSignature(malformed, `${name} is empty`);
}
