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
 * Verifies a request to a webhook and returns its event. Pass the body exactly as it was received, before anything
 * parses it. Throws a `WebhookVerificationError` if the signature is not valid or the message is old, and a `TypeError`
 * if it is called wrongly. It compares signatures in constant time and works in browsers, workers and Node.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = defaultToleranceSeconds, nowMs = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookMessage> {
  const content = readBody(body);
  const keyBytes = readSecret(secret);
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('Pass the headers of the request to verifyWebhook');
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
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  const key = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
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

function readBody(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not by `instanceof`: test runners and frames have classes of their own.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new TypeError(
    'Pass the raw body, a string or bytes, before anything parses it: the signature is over the bytes that were received. With ' +
      "Express, use express.raw({ type: 'application/json' }) for this route",
  );
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret : '';
  const bytes = decodeBase64(text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : text);
  if (!bytes || bytes.length === 0)
    throw new TypeError('Pass the secret of the webhook, which begins with whsec_, to verifyWebhook');
  return toBuffer(bytes);
}

/** The types of WebCrypto accept no view of a shared buffer. */
function toBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function readMessage(content: Uint8Array): WebhookMessage {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(content));
  } catch {
    // Not JSON, like any other value that is no object.
  }
  if (typeof value !== 'object' || value === null)
    throw new WebhookVerificationError('The body is signed, but it is not an event');
  const { timestamp, ...message } = value as Omit<WebhookMessage, 'createdAt'> & { timestamp: string };
  return { ...message, createdAt: timestamp } as WebhookMessage;
}
