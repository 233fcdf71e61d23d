import { type MedicalRecord, maximumMedicalRecordBytes } from '@keyfront/protocol';
import type { DataCipher, EncryptedData } from '../../lib/encryption/data-cipher.ts';
import { ApiError, validationFailed } from '../../lib/errors/api-error.ts';
import { jsonOf } from '../../lib/json-text.ts';

/** The client that a medical record belongs to. */
interface RecordOwner {
  readonly clientId: string;
  readonly tokenId: number;
}

/** Reads and writes medical records. They exist in clear only while a request of their holder is handled. */
export interface MedicalRecords {
  /** Validates a record before anything is written. Returns a function that encrypts it for its client. */
  prepare(record: MedicalRecord): (owner: RecordOwner) => EncryptedData;
  /** Returns the record as JSON without white space. Throws if it was changed, or was moved from another client. */
  open(owner: RecordOwner, data: EncryptedData): string;
}

/** Without a cipher, records are refused. */
export function createMedicalRecords(cipher: DataCipher | null): MedicalRecords {
  return {
    prepare: (record) => {
      const plaintext = Buffer.from(jsonOf(record));
      if (plaintext.length > maximumMedicalRecordBytes) {
        throw validationFailed([`medicalRecord must not be larger than ${maximumMedicalRecordBytes} bytes`]);
      }
      if (!cipher) throw new ApiError('MEDICAL_RECORDS_DISABLED');
      return (owner) => cipher.encrypt(nameOwner(owner), plaintext);
    },
    open: (owner, data) => {
      if (!cipher) throw new Error('There are medical records, but no encryption key is configured');
      return decryptRecord(cipher, owner, data).toString();
    },
  };
}

/** Adds `createdAt`, which existing storefronts read, after everything that was sent. A record may have one of its own. */
export function addCreatedAt(json: string, createdAt: string): string {
  if (Object.hasOwn(JSON.parse(json), 'createdAt')) return json;
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}"createdAt":"${createdAt}"}`;
}

/** Decrypts a record with the current key or the previous one, and encrypts it with the current one. */
export function reencryptRecord(cipher: DataCipher, owner: RecordOwner, data: EncryptedData): EncryptedData {
  return cipher.encrypt(nameOwner(owner), decryptRecord(cipher, owner, data));
}

function decryptRecord(cipher: DataCipher, owner: RecordOwner, data: EncryptedData): Buffer {
  try {
    return cipher.decrypt(nameOwner(owner), data);
  } catch (error) {
    throw new Error(`The medical record of client ${owner.clientId} cannot be decrypted`, { cause: error });
  }
}

// Authenticated with each record: the same bytes are worthless in the row of another client.
function nameOwner({ clientId, tokenId }: RecordOwner): string {
  return `medical record of client ${clientId} of digital key ${tokenId}`;
}
