import {
  coveredComponents,
  needsNonce,
  signatureLabel,
  writeSignatureBase,
  writeSignatureParams,
} from '../generated/bound-signature.ts';
import { encodeBase64 } from './base64.ts';
import { readCompactSignature } from './compact-signature.ts';
import { toHex } from './hex.ts';
import { unwrapKey } from './key-bytes.ts';

/** What a bound signature covers of a request. */
export interface RequestToBind {
  readonly method: string;
  readonly url: string;
  readonly body: Uint8Array | null;
}

/** The text that is signed, and the headers beside the signature. */
export interface SignatureBase {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes what a bound signature of a request at this moment covers. */
export async function writeBoundBase(
  { method, url, body }: RequestToBind,
  keyid: string,
): Promise<SignatureBase> {
  const digest = body?.length ? `sha-256=:${encodeBase64(await sha256(body))}:` : null;
  const components = coveredComponents({ hasBody: digest !== null });
  const params = writeSignatureParams(components, {
    created: Math.floor(Date.now() / 1_000),
    keyid,
    // Also for a repeated request: the service accepts a nonce once.
    ...(needsNonce(method) && { nonce: crypto.randomUUID() }),
  });
  const values = [method, url, digest ?? ''];
  const lines = components.map((name, index): [string, string] => [name, values[index] ?? '']);
  return {
    text: writeSignatureBase(lines, params),
    headers: {
      ...(digest !== null && { 'content-digest': digest }),
      'signature-input': `${signatureLabel}=${params}`,
    },
  };
}

/** Returns a function that signs requests in the bound form. `sign` returns Base64 of DER, or of r and s. */
export function createBoundSigner(
  apiKey: string,
  sign: (payload: Uint8Array) => Promise<string>,
): (request: RequestToBind) => Promise<Record<string, string>> {
  // By this the service finds the key.
  const fingerprint = sha256(unwrapKey(apiKey)?.der ?? new Uint8Array()).then(toHex);
  return async (request) => {
    const { text, headers } = await writeBoundBase(request, await fingerprint);
    const signature = readCompactSignature(await sign(new TextEncoder().encode(text)));
    if (!signature) throw new TypeError('The signature of the signer must be Base64 of DER, or of r and s');
    return { ...headers, signature: `${signatureLabel}=:${encodeBase64(signature)}:` };
  };
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)));
}
