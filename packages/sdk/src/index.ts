export type { CallOptions, RequestOptions, SignOptions } from './call-options.ts';
export * from './errors.ts';
export type { SignatureVerdict } from './explain/check-signature.ts';
export type { Explanation, RequestToExplain } from './explain/explain.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export { type KeyProofTerms, writeKeyProof } from './generated/key-proof.ts';
export type * from './generated/types.ts';
export { Keyfront } from './keyfront.ts';
export type {
  AnonymousOptions,
  ConnectionOptions,
  KeyfrontOptions,
  SecretKeyOptions,
  SignerOptions,
  SigningOptions,
  TokenOptions,
} from './options.ts';
export type { PageList } from './paging/page-list.ts';
export { type KeyPossession, proveKeyPossession } from './prove-key-possession.ts';
export type { Query } from './requests/query.ts';
export type { SignedRequest } from './requests/transport.ts';
export type { EventStreamOptions } from './resources/events-resource.ts';
export type {
  EventOf,
  KeyfrontEvent,
  KeyfrontEventPage,
  KeyfrontEventType,
} from './resources/keyfront-event.ts';
export type { OrderExport, OrderExportFilters } from './resources/order-export.ts';
export type { Runtime } from './runtime.ts';
export type { WalletSignIn } from './sign-in.ts';
export type { Signer } from './signing/signer.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookTest,
  WebhookVerificationError,
} from './webhooks/verify-webhook.ts';
