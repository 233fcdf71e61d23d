import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Closes bytes for those who know the context, and opens them again. */
export interface ResponseCipher {
  close(context: string, content: Buffer): Buffer;
  open(context: string, sealed: Buffer): Buffer;
}

interface SealSecrets {
  readonly secret: string;
  /** Still opens what was closed before the secret was changed. */
  readonly previousSecret: string | null;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** A seal that needs both the secret of the service and the context, which the service keeps nowhere. */
export function createSeal({ secret, previousSecret }: SealSecrets): ResponseCipher {
  return {
    close: (context, content) => {
      const nonce = randomBytes(nonceBytes);
      const cipherer = createCipheriv(cipher, deriveKey(secret, context), nonce, { authTagLength: tagBytes });
      return Buffer.concat([nonce, cipherer.update(content), cipherer.final(), cipherer.getAuthTag()]);
    },
    open: (context, sealed) => {
      try {
        return openWith(secret, context, sealed);
      } catch (error) {
        if (previousSecret === null) throw error;
        return openWith(previousSecret, context, sealed);
      }
    },
  };
}

function openWith(secret: string, context: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipherer = createDecipheriv(cipher, deriveKey(secret, context), nonce, { authTagLength: tagBytes });
  decipherer.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipherer.update(sealed.subarray(nonceBytes, -tagBytes)), decipherer.final()]);
}

function deriveKey(secret: string, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, context, 'keyfront kept answer', 32));
}
