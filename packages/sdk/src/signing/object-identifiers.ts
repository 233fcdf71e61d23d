import { type DerValue, derTag } from './der.ts';

export const curveName = 'secp256k1';

const ecPublicKey = '42,134,72,206,61,2,1';
const secp256k1 = '43,129,4,0,10';

/** Whether the value is the object identifier of elliptic-curve keys (1.2.840.10045.2.1). */
export function isEcKey({ tag, content }: DerValue): boolean {
  return tag === derTag.oid && content.join() === ecPublicKey;
}

/** Whether the value is the object identifier of secp256k1 (1.3.132.0.10). */
export function isCurve({ tag, content }: DerValue): boolean {
  return tag === derTag.oid && content.join() === secp256k1;
}
