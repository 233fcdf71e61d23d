import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readBaseUrl } from '../base-url.ts';
import { signsBody } from '../generated/canonical-payload.ts';
import type { KeyfrontOptions } from '../options.ts';
import { prepareRequest, type RequestToPrepare } from '../requests/prepare-request.ts';
import { writeBoundBase } from '../signing/bound-signature.ts';
import { toHex } from '../signing/hex.ts';
import { unwrapKey } from '../signing/key-bytes.ts';
import { readPublicKey } from '../signing/public-key.ts';
import { readSecretKey } from '../signing/secret-key.ts';
import { checkBoundSignature } from './check-bound-signature.ts';
import { checkSignature, type SignatureVerdict } from './check-signature.ts';

/** A request to explain. */
export interface RequestToExplain extends RequestToPrepare {
  /** A rejected signature, as the header `x-auth-signature` had it, or with `signatureInput` the header `Signature`. */
  readonly signature?: string;
  /** The header `Signature-Input` of a bound signature. */
  readonly signatureInput?: string;
}

/** What is signed of a request. All but `bound` describes the simple form. */
export interface Explanation {
  readonly url: string;
  /** Which part of the request is signed. */
  readonly rule: string;
  /** The bytes that are signed. */
  readonly payload: Uint8Array;
  /** The payload as text. */
  readonly text: string;
  /** The payload in hexadecimal. */
  readonly hex: string;
  /** The SHA-256 of the payload in hexadecimal. */
  readonly sha256: string;
  /** What the bound form signs of the request at this moment: a line for each part. Null without a readable API key. */
  readonly bound: string | null;
  /** Whether the secret key belongs to the API key; null if one of them is unknown. */
  readonly keysMatch: boolean | null;
  /** What is wrong with the signature of the request; null if it has none. */
  readonly signature: SignatureVerdict | null;
}

/** Explains what is signed of a request, and what is wrong with a signature of it. Sends nothing. */
export async function explain(options: KeyfrontOptions, request: RequestToExplain): Promise<Explanation> {
  const prepared = prepareRequest(readBaseUrl(options.baseUrl), request);
  const { payload } = prepared;
  const sha256 = await hash(payload);
  const publicKey = options.apiKey === undefined ? null : readPublicKey(options.apiKey);
  const spki = options.apiKey === undefined ? null : unwrapKey(options.apiKey);
  const fingerprint = spki && toHex(await hash(spki.der));
  const ownPublicKey =
    options.secretKey === undefined ? null : secp256k1.getPublicKey(readSecretKey(options.secretKey), false);
  return {
    url: prepared.url,
    rule: ruleOf(prepared),
    payload,
    text: new TextDecoder().decode(payload),
    hex: toHex(payload),
    sha256: toHex(sha256),
    bound: fingerprint && (await writeBoundBase(prepared, fingerprint)).text,
    keysMatch: publicKey && ownPublicKey && toHex(compressed(publicKey)) === toHex(compressed(ownPublicKey)),
    signature: await check(),
  };

  async function check(): Promise<SignatureVerdict | null> {
    const { signature, signatureInput } = request;
    if (signature === undefined) return null;
    if (signatureInput === undefined) {
      return boundForm.test(signature.trim())
        ? {
            isValid: false,
            message: 'The signature is bound: pass the header Signature-Input as signatureInput',
          }
        : checkSignature(prepared, { signature, publicKey, ownPublicKey, sha256 });
    }
    const bodySha256 = await hash(prepared.body ?? new Uint8Array());
    const nowMs = Date.now();
    return checkBoundSignature(prepared, {
      ...{ signature, signatureInput, publicKey, fingerprint, bodySha256, nowMs },
    });
  }
}

/** The header `Signature` of a bound signature. The simple form has no colon. */
const boundForm = /^[a-z*][a-z0-9_.*-]*=:.*:$/;

async function hash(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)));
}

function ruleOf({ method, query, body }: ReturnType<typeof prepareRequest>): string {
  if (signsBody(method)) {
    return body?.length
      ? `${method}: the bytes of the body`
      : `${method} without a body: the two characters {}`;
  }
  return query === null
    ? `${method} without a query: the two characters {}`
    : `${method}: the query exactly as in the URL, without the ?`;
}

function compressed(point: Uint8Array): Uint8Array {
  try {
    return secp256k1.Point.fromBytes(point).toBytes(true);
  } catch {
    return point;
  }
}
