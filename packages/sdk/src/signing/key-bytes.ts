import { decodeBase64 } from './base64.ts';

/** A key without its PEM and Base64 encoding. */
export interface KeyBytes {
  /** The label of the PEM, such as `PRIVATE KEY`; null if the key was not PEM. */
  readonly label: string | null;
  readonly der: Uint8Array;
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** Decodes a key that may be PEM, Base64 or both; null if it is neither. */
export function unwrapKey(key: string | Uint8Array): KeyBytes | null {
  if (typeof key !== 'string') return unwrapPem(asText(key)) ?? { label: null, der: key };
  const text = key.trim().replaceAll(/^["']|["']$/g, '');
  const pem = unwrapPem(text);
  if (pem) return pem;
  const bytes = decodeBase64(text);
  return bytes && (unwrapPem(asText(bytes)) ?? { label: null, der: bytes });
}

function unwrapPem(text: string): KeyBytes | null {
  for (const [, label = '', content = ''] of text.matchAll(pemBlock)) {
    // OpenSSL writes the name of the curve in a separate block before the key.
    if (label === 'EC PARAMETERS') continue;
    const der = decodeBase64(content);
    // Only encrypted keys have headers inside the block, which are not Base64.
    return { label: der ? label : `ENCRYPTED ${label}`, der: der ?? new Uint8Array() };
  }
  return null;
}

function asText(bytes: Uint8Array): string {
  return bytes[0] === 0x30 ? '' : new TextDecoder().decode(bytes);
}
