/**
 * Why an API key is not accepted although its signature may be valid. Tests compare these texts with the guide.
 */
export const keyReasons = {
  /** The same for an unknown and a revoked key, so that nobody learns whether a key has ever existed. */
  unknown: () => 'the signature is valid, but its key is not known here or was revoked',
  expired: (moment: string) => `the key has expired at ${moment}`,
  boundRequired: () => 'this key is accepted only with signatures that are bound to their request (RFC 9421)',
  otherApiKey: () => 'x-auth-apikey is not the key that keyid names',
} as const;

/** Why the nonce of a valid bound signature is not accepted. */
export const nonceReasons = {
  expired: () =>
    'the nonce has expired by the clock of the database: created is too old, or the clock of the service is wrong',
  repeated: () => 'the nonce was used before: sign each request with a new one, also when it is sent again',
} as const;
