import { hkdfSync } from 'node:crypto';
import { decryptBytes, encryptBytes } from '../../lib/encryption/authenticated-encryption.ts';

/** Encrypts stored responses. */
export interface ResponseCipher {
  encrypt(context: string, plaintext: Buffer): Buffer;
  decrypt(context: string, ciphertext: Buffer): Buffer;
}

interface CipherSecrets {
  readonly secret: string;
  /** Still decrypts what was encrypted before the secret was changed. */
  readonly previousSecret: string | null;
}

// Part of the key derivation: another text would make stored responses unreadable.
const keyPurpose = 'keyfront kept answer';

/** The key needs both the secret of the service and the context, which the service does not store. */
export function createResponseCipher({ secret, previousSecret }: CipherSecrets): ResponseCipher {
  return {
    encrypt: (context, plaintext) => encryptBytes(deriveKey(secret, context), plaintext),
    decrypt: (context, ciphertext) => {
      try {
        return decryptBytes(deriveKey(secret, context), ciphertext);
      } catch (error) {
        if (previousSecret === null) throw error;
        return decryptBytes(deriveKey(previousSecret, context), ciphertext);
      }
    },
  };
}

function deriveKey(secret: string, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, context, keyPurpose, 32));
}
