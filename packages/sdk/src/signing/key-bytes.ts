import { decodeBase64 } from './base64.ts';

/** A key as it was handed in, without its wrappings. */
export interface KeyBytes {
  /** What the PEM calls it, `PRIVATE KEY` for example; null where there was no PEM. */
  readonly label: string | null;
  readonly der: Uint8Array;
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** Takes a key out of Base64 and PEM, in which it may be wrapped; null where nothing of the kind is there. */
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
    // OpenSSL puts the name of the curve before a key in a block of its own.
    if (label === 'EC PARAMETERS') continue;
    const der = decodeBase64(content);
    // Headers within the block are those of an encrypted key; they are no Base64.
    return { label: der ? label : `ENCRYPTED ${label}`, der: der ?? new Uint8Array() };
  }
  return null;
}

function asText(bytes: Uint8Array): string {
  return bytes[0] === 0x30 ? '' : new TextDecoder().decode(bytes);
}
