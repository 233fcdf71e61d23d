import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { decodeBase64 } from '@keyfront/signatures/base64';

/** How far the clock of a provider may be from ours, in both directions. */
const toleranceSeconds = 300;
/** A provider that changes its secret signs with two. */
const maxSignatures = 10;
const signatureBytes = 32;

// Without a full stop, which separates the parts of what is signed.
const messageIdForm = /^[!-\-/-~]{1,255}$/;
const timestampForm = /^\d{1,11}$/;

/** The three headers of a callback, of the right form. */
export interface CallbackHeaders {
  readonly messageId: string;
  readonly timestampSeconds: number;
  readonly signatures: readonly Buffer[];
}

export type CallbackRejection = {
  readonly ok: false;
  readonly code: 'CREDENTIALS_MISSING' | 'SIGNATURE_INVALID' | 'CALLBACK_EXPIRED';
  readonly reason: string;
};

/** Reads the headers of a callback, and rejects one that no body can make valid. */
export function readCallbackHeaders(
  headers: IncomingHttpHeaders,
  nowMs: number,
): ({ readonly ok: true } & CallbackHeaders) | CallbackRejection {
  const messageId = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signature = headers['webhook-signature'];
  for (const [name, value] of Object.entries({ id: messageId, timestamp, signature })) {
    if (value === undefined) return reject('CREDENTIALS_MISSING', `the header webhook-${name} is missing`);
  }
  if (typeof messageId !== 'string' || !messageIdForm.test(messageId)) {
    return reject(
      'SIGNATURE_INVALID',
      'webhook-id must be 1 to 255 printable characters without a full stop',
    );
  }
  if (typeof timestamp !== 'string' || !timestampForm.test(timestamp)) {
    return reject('SIGNATURE_INVALID', 'webhook-timestamp must be a Unix time in seconds');
  }
  const timestampSeconds = Number(timestamp);
  if (Math.abs(nowMs / 1000 - timestampSeconds) > toleranceSeconds) {
    return reject('CALLBACK_EXPIRED', 'webhook-timestamp must be within five minutes of the time here');
  }
  const signatures = readSignatures(String(signature));
  if (signatures.length === 0) {
    return reject('SIGNATURE_INVALID', 'webhook-signature must contain v1, and the Base64 of 32 bytes');
  }
  return { ok: true, messageId, timestampSeconds, signatures };
}

/** Whether one of the signatures is that of one of the secrets, over the bytes of the body. */
export function hasValidSignature(
  { messageId, timestampSeconds, signatures }: CallbackHeaders,
  body: Uint8Array,
  secrets: readonly Uint8Array[],
): boolean {
  let isValid = false;
  for (const secret of secrets) {
    const expected = computeSignature(secret, messageId, timestampSeconds, body);
    // Compares all of them, so that the time does not tell which one was valid.
    for (const signature of signatures) isValid = timingSafeEqual(expected, signature) || isValid;
  }
  return isValid;
}

/** Makes the headers of a callback. */
export function signCallback(
  secret: Uint8Array,
  messageId: string,
  timestampSeconds: number,
  body: Uint8Array,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signature = computeSignature(secret, messageId, timestampSeconds, body);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature.toString('base64')}`,
  };
}

function computeSignature(
  secret: Uint8Array,
  messageId: string,
  timestampSeconds: number,
  body: Uint8Array,
): Buffer {
  return createHmac('sha256', secret).update(`${messageId}.${timestampSeconds}.`).update(body).digest();
}

/** Signatures of other versions are skipped, as the specification asks. */
function readSignatures(header: string): Buffer[] {
  return header
    .split(' ', maxSignatures)
    .filter((text) => text.startsWith('v1,'))
    .map((text) => decodeBase64(text.slice('v1,'.length)))
    .filter((signature) => signature?.length === signatureBytes) as Buffer[];
}

function reject(code: CallbackRejection['code'], reason: string): CallbackRejection {
  return { ok: false, code, reason };
}
