import { randomBytes } from 'node:crypto';
import type { DataCipher, EncryptedData } from '../../lib/encryption/data-cipher.ts';
import { ApiError } from '../../lib/errors/api-error.ts';

/** The webhook that a secret belongs to. */
export interface SecretOwner {
  readonly webhookId: string;
  readonly tokenId: number;
}

const prefix = 'whsec_';
/** The Standard Webhooks specification recommends 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret, as its holder gets it. */
export interface NewSecret {
  readonly text: string;
  encryptFor(owner: SecretOwner): EncryptedData;
}

/** Creates a secret. Throws the 403 if there is no key to encrypt it with. */
export function createSecret(cipher: DataCipher | null): NewSecret {
  if (!cipher) throw new ApiError('WEBHOOKS_DISABLED');
  const secret = randomBytes(secretBytes);
  return {
    text: prefix + secret.toString('base64'),
    encryptFor: (owner) => cipher.encrypt(nameOwner(owner), secret),
  };
}

/** Decrypts the secret of a webhook to the bytes that sign. */
export function decryptSecret(cipher: DataCipher, owner: SecretOwner, data: EncryptedData): Buffer {
  try {
    return cipher.decrypt(nameOwner(owner), data);
  } catch (error) {
    throw new Error(`The secret of webhook ${owner.webhookId} cannot be decrypted`, { cause: error });
  }
}

/** Decrypts a secret with the current key or the previous one, and encrypts it with the current one. */
export function reencryptSecret(cipher: DataCipher, owner: SecretOwner, data: EncryptedData): EncryptedData {
  return cipher.encrypt(nameOwner(owner), decryptSecret(cipher, owner, data));
}

// Authenticated with each secret: the same bytes are worthless in the row of another webhook.
function nameOwner({ webhookId, tokenId }: SecretOwner): string {
  return `secret of webhook ${webhookId} of digital key ${tokenId}`;
}
