/** A longer signature is rejected without being decoded. This is several times the length of a valid one. */
export const maximumSignatureLength = 1024;

const expected = 'must be Base64 of an ECDSA signature (DER, or the 64 bytes of r and s)';

/**
 * What can be wrong with the text of `x-auth-signature`. Each text continues a sentence that begins with the name of the
 * header. The service responds with these texts, and `explain` of the SDK returns them.
 */
export const signatureIssues = {
  empty: 'is empty',
  tooLong: `${expected}: it is too long`,
  notBase64: `${expected}: it is not Base64`,
  hex: `${expected}: it is hex`,
  hmac: `${expected}: its 32 bytes look like an HMAC or a plain hash`,
  recoveryByte: `${expected}: its 65 bytes look like a wallet signature with a recovery byte`,
  pem: `${expected}: it is a PEM text`,
  encodedTwice: `${expected}: it was encoded twice`,
  damaged: 'must be strict DER: it is damaged',
  bytesAfter: 'must be strict DER: bytes follow the signature',
  notMinimal: 'must be strict DER: r or s is negative or longer than needed',
  outOfRange: 'must be an ECDSA signature of secp256k1: r or s is out of range',
  otherBytes: (count: number) => `${expected}: it contains ${count} bytes of something else`,
} as const;

/** The beginning of the sentence about a signature of other bytes. It continues the name of the header. */
export const payloadMismatch = 'does not match the payload of this request';

/** What callers sign by mistake instead of the payload. */
export const signingMistakes = {
  emptyText: 'the empty string was signed instead',
  emptyObjectForBody: '{} was signed, which is correct only for a request without a body',
  emptyObjectForQuery: '{} was signed, which is correct only for a request without a query',
  queryForBody: 'the query was signed, but for this method the body must be signed',
  questionMark: 'the query was signed with its question mark',
  path: 'the path or the URL was signed, which is not part of the payload',
  decodedQuery: 'the query was signed decoded: sign it exactly as it stands in the URL',
  reorderedQuery: 'the parameters of the query were signed in another order',
  queryAsOtherJson: 'the query was signed as JSON with numbers: its values are strings',
  bodyForQuery: 'the body was signed, but for this method the query must be signed',
  otherJson: 'other JSON than that of the body was signed: serialize it once, sign that text and send it',
  otherHash: (name: string) => `it was hashed with ${name} instead of SHA-256`,
  lineBreak: 'it was signed with a trailing line break',
  hash: 'its SHA-256 was signed, so it was hashed twice',
  hex: 'it was signed in hex: sign its bytes',
  hexHash: 'its SHA-256 in hex was signed, so it was hashed twice',
} as const;
