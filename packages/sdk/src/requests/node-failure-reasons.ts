const closed = 'it was closed before the response was complete';
const silent = 'the host does not respond';
const unroutable = 'there is no route to the host. Check the network';
const selfSigned = 'the certificate of the service is self-signed. Trust it with NODE_EXTRA_CA_CERTS';
const unknownIssuer = 'the issuer of the certificate is not known. Trust it with NODE_EXTRA_CA_CERTS';
const notTls = 'the port does not serve https. Use http, or correct the port';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there. The service is not running, or the host or port is wrong',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be looked up. Check the network',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: silent,
  UND_ERR_CONNECT_TIMEOUT: silent,
  UND_ERR_HEADERS_TIMEOUT: 'the response did not arrive in time',
  UND_ERR_BODY_TIMEOUT: 'the rest of the response did not arrive in time',
  EHOSTUNREACH: unroutable,
  ENETUNREACH: unroutable,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  CERT_HAS_EXPIRED: 'the certificate of the service has expired',
  CERT_NOT_YET_VALID: 'the certificate of the service is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the service is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
};

/** Explains an error code of Node. Null for an unknown code. */
export function explainFailureCode(code: string): string | null {
  // The codes of Node's HTTP parser.
  if (code.startsWith('HPE_')) return 'the response is not HTTP. Use https, or correct the port';
  return reasons[code] ?? null;
}
