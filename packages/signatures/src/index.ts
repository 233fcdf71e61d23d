export {
  type BoundRequest,
  BoundVerifier,
  boundSignatureHeaderName,
  signatureInputHeaderName,
} from './bound/bound-verifier.ts';
export { type RequestAddress, urlOf } from './bound/request-components.ts';
export type { SignatureInput } from './bound/signature-input.ts';
export { HashedPayload } from './ecdsa/hashed-payload.ts';
export { PublicKeyCache, parsePublicKey } from './ecdsa/public-key.ts';
export { parseSignature } from './ecdsa/signature-value.ts';
export type { PublicKey } from './ecdsa/spki.ts';
export { loadFastestVerifier, type SignatureVerifier, verifyWithNodeCrypto } from './ecdsa/verifiers.ts';
export type { SignatureRejection } from './rejection.ts';
export { apiKeyHeaderName, signatureHeaderName } from './simple/simple-headers.ts';
export { type SimpleClaim, type SimpleRequest, SimpleVerifier } from './simple/simple-verifier.ts';
