import { hkdfSync } from 'node:crypto';
import { decryptBytes, encryptBytes } from './authenticated-encryption.ts';

/** Encrypted bytes, and the name of the key that they are encrypted with. */
export interface EncryptedData {
  readonly keyId: string;
  readonly ciphertext: Buffer;
}

/** Encrypts data of clients with the current key, and decrypts what the current or the previous key has encrypted. */
export interface DataCipher {
  readonly keyId: string;
  /** Null if there is no previous key. */
  readonly previousKeyId: string | null;
  /** The context names what the data belongs to. The data can be decrypted in the same context only. */
  encrypt(context: string, plaintext: Buffer): EncryptedData;
  /** Throws if the key is unknown, or if the data was changed or belongs to another context. */
  decrypt(context: string, data: EncryptedData): Buffer;
}

/** Keys of 32 bytes. */
export interface DataKeys {
  readonly key: Buffer;
  readonly previousKey: Buffer | null;
}

export const dataKeyBytes = 32;
const keyIdBytes = 8;
// Parts of the key derivation: other texts would make stored data unreadable.
const encryptionPurpose = 'keyfront data encryption';
const keyIdPurpose = 'keyfront data key id';

export function createDataCipher({ key, previousKey }: DataKeys): DataCipher {
  const keyId = nameKey(key);
  const keys = new Map([[keyId, deriveKey(key, encryptionPurpose, dataKeyBytes)]]);
  let previousKeyId: string | null = null;
  if (previousKey !== null && !previousKey.equals(key)) {
    previousKeyId = nameKey(previousKey);
    keys.set(previousKeyId, deriveKey(previousKey, encryptionPurpose, dataKeyBytes));
  }
  const getKey = (id: string): Buffer => {
    const known = keys.get(id);
    if (!known) throw new Error(`The encryption key ${id} is not configured`);
    return known;
  };
  return {
    keyId,
    previousKeyId,
    encrypt: (context, plaintext) => ({
      keyId,
      ciphertext: encryptBytes(getKey(keyId), plaintext, Buffer.from(context)),
    }),
    decrypt: (context, data) => decryptBytes(getKey(data.keyId), data.ciphertext, Buffer.from(context)),
  };
}

/** The name of a key, which reveals nothing about it. */
function nameKey(key: Buffer): string {
  return deriveKey(key, keyIdPurpose, keyIdBytes).toString('hex');
}

function deriveKey(key: Buffer, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, bytes));
}
