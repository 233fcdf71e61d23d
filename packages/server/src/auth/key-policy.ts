import type { SignatureForms } from '@keyfront/protocol';
import { ApiError } from '../lib/errors/api-error.ts';
import { compileNetworks } from '../lib/network/networks.ts';
import { InvalidCredential } from './invalid-credential.ts';
import { keyReasons } from './key-reasons.ts';

/** The settings of an API key, as the database has them. */
export interface KeySettings {
  readonly signatures: SignatureForms;
  /** Null: everything. */
  readonly scopes: readonly string[] | null;
  /** ISO 8601 in UTC. Null: until it is revoked. */
  readonly expiresAt: string | null;
  /** In CIDR notation. Null: any. */
  readonly allowedNetworks: readonly string[] | null;
}

/** What an API key is accepted for, prepared for many requests. */
export interface KeyPolicy {
  readonly needsBoundSignature: boolean;
  /** Null: everything. */
  readonly scopes: ReadonlySet<string> | null;
  readonly expiresAtMs: number;
  /** Null: any address. */
  readonly allowsAddress: ((address: string) => boolean) | null;
}

export function compileKeyPolicy({ signatures, scopes, expiresAt, allowedNetworks }: KeySettings): KeyPolicy {
  return {
    needsBoundSignature: signatures === 'bound',
    scopes: scopes && new Set(scopes),
    expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    allowsAddress: allowedNetworks && compileNetworks(allowedNetworks),
  };
}

/**
 * Returns why a key is not accepted for a request that it has signed, or null. Throws the 403 of an address that the key does not
 * allow. Only the owner of the secret key learns any of this.
 */
export function findPolicyRejection(
  { needsBoundSignature, expiresAtMs, allowsAddress }: KeyPolicy,
  {
    isBound,
    address,
    keyId,
  }: { readonly isBound: boolean; readonly address: string; readonly keyId: string },
): InvalidCredential | null {
  if (expiresAtMs <= Date.now()) {
    const reason = keyReasons.expired(new Date(expiresAtMs).toISOString());
    return new InvalidCredential('API_KEY_EXPIRED', 'Signature', reason);
  }
  if (needsBoundSignature && !isBound) {
    return new InvalidCredential('BOUND_SIGNATURE_REQUIRED', 'Signature', keyReasons.boundRequired());
  }
  if (allowsAddress && !allowsAddress(address))
    throw new ApiError('NETWORK_NOT_ALLOWED', { actor: { keyId } });
  return null;
}
