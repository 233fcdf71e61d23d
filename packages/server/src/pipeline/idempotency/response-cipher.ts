import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts stored responses that contain a secret. */
export interface ResponseCipher {
  encrypt(context: string, plaintext: Buffer): Buffer;
  decrypt(context: string, ciphertext: Buffer): Buffer;
}

interface CipherSecrets {
  readonly secret: string;
  /** Still decrypts what was encrypted before the secret was changed. */
  readonly previousSecret: string | null;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
// Part of the key derivation: another text would make stored responses unreadable.
const keyPurpose = 'keyfront kept answer';

/** The key needs both the secret of the service and the context, which the service does not store. */
export function createResponseCipher({ secret, previousSecret }: CipherSecrets): ResponseCipher {
  return {
    encrypt: (context, plaintext) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, deriveKey(secret, context), nonce, {
        authTagLength: tagBytes,
      });
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt: (context, ciphertext) => {
      try {
        return decryptWith(secret, context, ciphertext);
      } catch (error) {
        if (previousSecret === null) throw error;
        return decryptWith(previousSecret, context, ciphertext);
      }
    },
  };
}

function decryptWith(secret: string, context: string, ciphertext: Buffer): Buffer {
  const nonce = ciphertext.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, deriveKey(secret, context), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  return Buffer.concat([decipher.update(ciphertext.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

function deriveKey(secret: string, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, context, keyPurpose, 32));
}
