import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const noData = Buffer.alloc(0);

/**
 * Encrypts with a random nonce, which the result begins with. The authentication tag is at the end. The additional data is
 * not part of the result: decryption needs the same again.
 */
export function encryptBytes(key: Buffer, plaintext: Buffer, additionalData: Buffer = noData): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(additionalData);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts. Throws if the key or the additional data differ, or if the ciphertext was changed in any way. */
export function decryptBytes(key: Buffer, ciphertext: Buffer, additionalData: Buffer = noData): Buffer {
  const nonce = ciphertext.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(additionalData);
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  return Buffer.concat([decipher.update(ciphertext.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
