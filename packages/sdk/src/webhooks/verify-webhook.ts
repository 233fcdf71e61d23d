import type { KeyfrontEvent } from '../resources/keyfront-event.ts';
import { decodeBase64 } from '../signing/base64.ts';

/** What a test of a webhook sends. */
export interface WebhookTest {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly createdAt: string;
  readonly tokenId: number;
  readonly data: { readonly webhookId: string };
}

/** What an endpoint receives. Its `type` tells the type of its `data`. */
export type WebhookMessage = KeyfrontEvent | WebhookTest;

/** The headers of a request: those of `Request`, or those of a request of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** How far the time of the message may be from that of this machine. The default is five minutes. */
  readonly toleranceSeconds?: number;
  /** The time of this machine in milliseconds. The default is `Date.now()`. */
  readonly nowMs?: number;
}

/** Thrown for a request that does not come from the service, was changed on its way, or is old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const defaultToleranceSeconds = 300;
const secretPrefix = 'whsec_';

/**
 * Verifies a request to a webhook and returns its event. Pass the body exactly as it was received, before anything parses it. Throws a
 * `WebhookVerificationError` if the signature is not valid or the message is old. It compares signatures in constant time and works
 * in browsers, workers and Node.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = defaultToleranceSeconds, nowMs = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookMessage> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time');
  const ageSeconds = nowMs / 1000 - Number(timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    throw new WebhookVerificationError(
      ageSeconds > 0 ? 'The message is too old' : 'The message is from the future: compare the clocks',
    );
  }
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  const key = await importSecret(secret);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? decodeBase64(text) : null;
    // Compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, toBuffer(bytes), signed)))
      return readMessage(content);
  }
  throw new WebhookVerificationError('No signature is valid: the secret differs, or the body was changed');
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers as object, name);
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

function findHeader(headers: object, name: string): unknown {
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return Array.isArray(value) ? value[0] : value;
  }
  return undefined;
}

function importSecret(secret: string) {
  const bytes = decodeBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret);
  if (!bytes) throw new TypeError('The secret of a webhook begins with whsec_');
  return crypto.subtle.importKey('raw', toBuffer(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** The types of WebCrypto accept no view of a shared buffer. */
function toBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function readMessage(content: Uint8Array): WebhookMessage {
  const { timestamp, ...message } = JSON.parse(new TextDecoder().decode(content));
  return { ...message, createdAt: timestamp };
}
