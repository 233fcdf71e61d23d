import { signatureLabel, signatureToleranceSeconds } from '@keyfront/protocol';

/** A random nonce of 16 characters is not used twice by accident. */
export const minNonceLength = 16;
export const maxNonceLength = 255;
export const maxComponents = 20;
export const algorithmName = 'ecdsa-secp256k1-sha256';

/** A part of a reason that differs between requests. */
type Part = string | number;

/**
 * Why a bound signature is refused, in the order of the checks. A test compares these texts with the table of the
 * signing guide, so every reason is a function of nothing but its differing parts.
 */
export const refusalReasons = {
  noInput: () => 'signature-input is missing: it says what signature covers',
  noSignature: () => 'signature is missing',
  inputForm: () =>
    'signature-input must have the form sig1=("@method" "@target-uri");created=...;keyid="..."',
  severalLabels: () => `signature-input must name one signature, or one of them ${signatureLabel}`,
  noComponents: () => 'signature-input must list the covered components',
  tooManyComponents: () => `a signature covers at most ${maxComponents} components`,
  unquotedComponent: () => 'the covered components must be quoted',
  unsupportedComponent: (component: Part) => `the component ${component} is not supported`,
  repeatedComponent: (name: Part) => `the component "${name}" is covered twice`,
  noCreated: () => 'signature-input must have created, in seconds since 1970',
  expiresForm: () => 'expires must be in seconds since 1970',
  keyidForm: () =>
    'keyid must be the SHA-256 of the public key (SPKI, DER) in lower-case hex, or the id of the API key',
  otherAlgorithm: () => `alg must be left out, or be ${algorithmName}`,
  nonceForm: () => `nonce must be a text of ${minNonceLength} to ${maxNonceLength} characters`,
  signatureForm: (label: Part) => `signature must have the form ${label}=:<Base64>:`,
  signatureInDer: () => 'signature must be the 64 bytes of r and s: it is DER',
  signatureLength: (bytes: Part) => `signature must be the 64 bytes of r and s: it has ${bytes} bytes`,
  methodNotCovered: () => 'the signature must cover "@method"',
  addressNotCovered: () => 'the signature must cover "@target-uri", or "@authority", "@path" and "@query"',
  bodyNotCovered: () => 'the signature must cover "content-digest", because the request has a body',
  noNonce: (method: Part) => `signature-input must have a nonce, because a ${method} may change something`,
  createdBefore: (seconds: Part, now: Part) => describeDistance(seconds, 'before', now),
  createdAfter: (seconds: Part, now: Part) => describeDistance(seconds, 'after', now),
  expired: (now: Part) =>
    `the signature has expired: expires is before the time of the service, which is ${now}`,
  hostMissing: () => 'the request must have the header Host, which is part of its address',
  componentMissing: (name: Part) => `the signature covers "${name}", which the request does not have`,
  digestForm: () => 'content-digest must have the form sha-256=:<Base64>:',
  digestDiffers: (algorithm: Part) => `content-digest is not that of the body: its ${algorithm} differs`,
  digestUnknown: () => 'content-digest must contain a digest with sha-256 or sha-512',
  /** The same for a wrong signature and for a key that is unknown or revoked. */
  mismatch: (base: Part) =>
    `signature does not match this request and a key that is known here; the signature base of the request is: ${base}`,
} as const;

function describeDistance(seconds: Part, direction: 'before' | 'after', now: Part): string {
  const distance = `${seconds} seconds ${direction} the time of the service, which is ${now}`;
  return `created is ${distance}: at most ${signatureToleranceSeconds} are accepted`;
}
