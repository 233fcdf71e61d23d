import { signsBody } from '@keyfront/protocol/canonical-payload';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readBaseUrl } from '../base-url.ts';
import type { KeyfrontOptions } from '../options.ts';
import { prepareRequest, type RequestToPrepare } from '../requests/prepare-request.ts';
import { readSecretKey } from '../signing/secret-key.ts';
import { toHex } from './hex.ts';
import { judgeSignature, type SignatureVerdict } from './judge-signature.ts';
import { readPublicKey } from './public-key.ts';

export interface RequestToExplain extends RequestToPrepare {
  /** One that was refused, as it stood in the header. */
  readonly signature?: string;
}

export interface Explanation {
  /** What the request goes to. */
  readonly url: string;
  /** Which part of it is signed. */
  readonly rule: string;
  /** What is signed: the bytes, as text, in hex, and their SHA-256. */
  readonly payload: Uint8Array;
  readonly text: string;
  readonly hex: string;
  readonly sha256: string;
  /** Whether the secret key belongs to the API key; null where one of them is not known. */
  readonly keysMatch: boolean | null;
  /** About the signature that was handed in. */
  readonly signature: SignatureVerdict | null;
}

/** Says what is signed of a request, and what is wrong with a signature of it. Sends nothing. */
export async function explain(options: KeyfrontOptions, request: RequestToExplain): Promise<Explanation> {
  const prepared = prepareRequest(readBaseUrl(options.baseUrl), request);
  const { payload } = prepared;
  const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(payload)));
  const publicKey = options.apiKey === undefined ? null : readPublicKey(options.apiKey);
  const ownPublicKey =
    options.secretKey === undefined ? null : secp256k1.getPublicKey(readSecretKey(options.secretKey), false);
  return {
    url: prepared.url,
    rule: ruleOf(prepared),
    payload,
    text: new TextDecoder().decode(payload),
    hex: toHex(payload),
    sha256: toHex(sha256),
    keysMatch: publicKey && ownPublicKey && toHex(compressed(publicKey)) === toHex(compressed(ownPublicKey)),
    signature:
      request.signature === undefined
        ? null
        : judgeSignature(prepared, { signature: request.signature, publicKey, ownPublicKey, sha256 }),
  };
}

function ruleOf({ method, query, body }: ReturnType<typeof prepareRequest>): string {
  if (signsBody(method)) {
    return body?.length
      ? `${method}: the bytes of the body`
      : `${method} without a body: the two characters {}`;
  }
  return query === null
    ? `${method} without a query: the two characters {}`
    : `${method}: the query as it stands in the address, without the ?`;
}

function compressed(point: Uint8Array): Uint8Array {
  try {
    return secp256k1.Point.fromBytes(point).toBytes(true);
  } catch {
    return point;
  }
}
