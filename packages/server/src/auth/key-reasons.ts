/**
 * Why an API key is not accepted although its signature may be valid, in both forms of signatures. A test compares them
 * with the guide.
 */
export const keyReasons = {
  /** The same for an unknown and a revoked key, so that nobody learns whether a key has ever existed. */
  unknown: () => 'the signature is valid, but its key is not known here or was revoked',
  expired: (moment: string) => `the key has expired at ${moment}`,
  boundRequired: () => 'this key is accepted only with signatures that are bound to their request (RFC 9421)',
} as const;
