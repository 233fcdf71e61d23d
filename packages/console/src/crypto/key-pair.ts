import { secp256k1 } from '@noble/curves/secp256k1.js';

/** A key pair in the form that the service and the SDK use: PEM, Base64-encoded. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

// The fixed parts of the two structures in DER, for the curve secp256k1 (RFC 5480 and RFC 5958 with RFC 5915).
const publicKeyHead = hexBytes('3056301006072a8648ce3d020106052b8104000a034200');
const privateKeyHead = hexBytes('308184020100301006072a8648ce3d020106052b8104000a046d306b0201010420');
const privateKeyMiddle = hexBytes('a144034200');

/** Makes a key pair in this page. The secret key leaves it only as a file that the visitor saves. */
export function makeKeyPair(): KeyPair {
  const secret = secp256k1.utils.randomSecretKey();
  const point = secp256k1.getPublicKey(secret, false);
  return {
    publicKey: btoa(pem('PUBLIC KEY', [publicKeyHead, point])),
    secretKey: btoa(pem('PRIVATE KEY', [privateKeyHead, secret, privateKeyMiddle, point])),
  };
}

function pem(label: string, parts: readonly Uint8Array[]): string {
  const bytes = parts.flatMap((part) => [...part]);
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
