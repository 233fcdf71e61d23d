import { createHmac } from 'node:crypto';

/** What is signed: the headers of the Standard Webhooks specification, and the body. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Signs a message with each secret, in the form of the header `webhook-signature`. */
export function signDelivery({ id, timestamp, body }: SignedMessage, secrets: readonly Buffer[]): string {
  return secrets
    .map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
}
