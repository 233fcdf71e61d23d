import { hkdfSync } from 'node:crypto';

/** The query parameter of the link to the console. */
export const tokenParameter = 'token';

/**
 * The token in the link to the console. Derived from the most powerful key that it gives access to, so that it is as secret, the
 * same in all processes, and the same after a restart.
 */
export function deriveConsoleToken(adminPrivateKey: string): string {
  const token = hkdfSync('sha256', adminPrivateKey, '', 'keyfront demo console', 32);
  return Buffer.from(token).toString('base64url');
}

/** The link that opens the console with the wallets of the demo. */
export function consoleLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}?${tokenParameter}=${token}`;
}
