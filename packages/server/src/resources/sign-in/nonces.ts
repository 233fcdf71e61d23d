import { randomBytes } from 'node:crypto';
import { toChecksumAddress } from '@keyfront/evm';
import { defaultSignInType, type Nonce, type NonceRequest } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';
import { insertNonce } from './nonce-queries.ts';
import type { SignInDomains } from './sign-in-domains.ts';
import { writeMessage } from './sign-in-message.ts';

const nonceBytes = 16;

/** Creates a nonce and the message to sign. Does not look up the wallet, so the response cannot reveal whether it is known. */
export async function createNonce(
  database: Database,
  domains: SignInDomains,
  { walletAddress, email, type = defaultSignInType, domain }: NonceRequest,
): Promise<Nonce> {
  const address = toChecksumAddress(walletAddress.toLowerCase());
  if (isMixedCase(walletAddress) && walletAddress !== address) {
    throw validationFailed([
      'walletAddress must have the capitals of its ERC-55 checksum, or be in one case',
    ]);
  }
  const expected = domain === undefined ? domains.own : domains.find(domain);
  if (!expected) {
    throw validationFailed([`domain must be one of the following values: ${domains.names.join(', ')}`]);
  }
  if (!domains.allowsType(type, expected)) {
    throw validationFailed([
      `domain must be ${domains.own.domain} for the type ${type}: administrators sign in only there`,
    ]);
  }
  const nonce = randomBytes(nonceBytes).toString('hex');
  const { createdAt, expiresAt } = await insertNonce(database, {
    nonce,
    walletAddress: address.toLowerCase(),
    type,
    domain: expected.nonceDomain,
    email: email ?? null,
  });
  const message = writeMessage({
    domain: expected.domain,
    uri: expected.uri,
    chainId: expected.chainId,
    address,
    nonce,
    issuedAt: createdAt,
    expirationTime: expiresAt,
    type,
  });
  return { nonce, message, expiresAt };
}

/** An address in one letter case has no checksum. */
function isMixedCase(address: string): boolean {
  return /[a-f]/.test(address) && /[A-F]/.test(address);
}
