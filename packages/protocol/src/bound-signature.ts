/**
 * Bound signatures: HTTP Message Signatures (RFC 9421) with a key on secp256k1. The signature covers the method, the address
 * and the body of one request at one time, so that it is valid for nothing else.
 */

/** The largest difference between `created` of a signature and the clock of the service, in seconds. */
export const signatureToleranceSeconds = 300;

/** The label of the signature if a request has several. */
export const signatureLabel = 'keyfront';

/** What a caller covers: the method, the address, and the body of a request that has one. */
export function coveredComponents({ hasBody }: { readonly hasBody: boolean }): string[] {
  return ['@method', '@target-uri', ...(hasBody ? ['content-digest'] : [])];
}

/** Whether a request with this method changes something, so that its signature needs a nonce. */
export function needsNonce(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

export interface SignatureParameters {
  /** Seconds since 1970. */
  readonly created: number;
  /** SHA-256 of the public key (SPKI, DER) in lower-case hex, or the id of the API key. */
  readonly keyid: string;
  /** Needed for a method that changes something. No other request of the key may have the same. */
  readonly nonce?: string | undefined;
}

/** Writes the value of `@signature-params`, which is also the value of the label in `Signature-Input`. */
export function writeSignatureParams(
  components: readonly string[],
  { created, keyid, nonce }: SignatureParameters,
): string {
  const names = components.map((name) => `"${name}"`).join(' ');
  const last = nonce === undefined ? '' : `;nonce="${nonce}"`;
  return `(${names});created=${created};keyid="${keyid}"${last}`;
}

/** Writes the text that is signed (RFC 9421, section 2.5): a line for each component, and the parameters as the last line. */
export function writeSignatureBase(
  components: readonly (readonly [name: string, value: string])[],
  signatureParams: string,
): string {
  let base = '';
  for (const [name, value] of components) base += `"${name}": ${value}\n`;
  return `${base}"@signature-params": ${signatureParams}`;
}
