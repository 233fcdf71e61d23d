import { randomBytes } from 'node:crypto';
import { defaultSignInType, type Nonce, type NonceRequest } from '@keyfront/protocol';
import { validationFailed } from '../../api-error.ts';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { Database } from '../../database/database.ts';
import type { ExpectedMessage } from './check-sign-in-message.ts';
import { deleteDeadNonces, insertNonce } from './nonce-queries.ts';
import { writeMessage } from './sign-in-message.ts';

const nonceBytes = 16;
const sweepBatch = 10_000;

/** Makes what the wallet is to sign. Whether the wallet is known is not asked here, so nothing can tell. */
export async function createNonce(
  database: Database,
  expected: ExpectedMessage,
  { walletAddress, email, type = defaultSignInType }: NonceRequest,
): Promise<Nonce> {
  const address = toChecksumAddress(walletAddress.toLowerCase());
  if (isMixedCase(walletAddress) && walletAddress !== address) {
    throw validationFailed([
      'walletAddress must have the capitals of its ERC-55 checksum, or be in one case',
    ]);
  }
  const nonce = randomBytes(nonceBytes).toString('hex');
  const { createdAt, expiresAt } = await insertNonce(database, {
    nonce,
    walletAddress: address.toLowerCase(),
    type,
    email: email ?? null,
  });
  const message = writeMessage({
    ...expected,
    address,
    nonce,
    issuedAt: createdAt,
    expirationTime: expiresAt,
    type,
  });
  return { nonce, message, expiresAt };
}

/** Deletes the nonces whose time is over, and says how many. Any number of processes may do so at once. */
export async function forgetDeadNonces(database: Database, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let count: number;
  do {
    count = await deleteDeadNonces(database, sweepBatch);
    total += count;
  } while (count === sweepBatch && !signal?.aborted);
  return total;
}

/** In one case there is no checksum to be wrong. */
function isMixedCase(address: string): boolean {
  return /[a-f]/.test(address) && /[A-F]/.test(address);
}
