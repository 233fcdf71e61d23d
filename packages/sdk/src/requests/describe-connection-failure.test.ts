import { expect, it } from 'vitest';
import { describeConnectionFailure } from './describe-connection-failure.ts';

const failed = new TypeError('Failed to fetch');
const reset = new TypeError('fetch failed', {
  cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
});

it.each([
  [
    'https://shop.example/api/v1',
    reset,
    null,
    'The connection to https://shop.example failed: it was closed before the response was complete (ECONNRESET)',
  ],
  [
    'https://shop.example/api/v1',
    new TypeError('fetch failed', { cause: new Error('certificate has expired') }),
    null,
    'The connection to https://shop.example failed: certificate has expired',
  ],
  ['https://shop.example/api/v1', failed, null, 'The connection to https://shop.example failed'],
  ['https://shop.example/api/v1', 'a string', null, 'The connection to https://shop.example failed'],
  [
    'https://shop.example/api/v1',
    failed,
    'https://shop.example',
    'The connection to https://shop.example failed',
  ],
])('%s, %s, %s', (baseUrl, error, pageOrigin, expected) => {
  expect(describeConnectionFailure(baseUrl, error, pageOrigin)).toBe(expected);
});

const failureWith = (code: string, message = '') =>
  describeConnectionFailure(
    'https://shop.example/api/v1',
    new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) }),
    null,
  ).replace('The connection to https://shop.example failed: ', '');

it.each([
  [
    'ECONNREFUSED',
    'nothing accepts connections there. The service is not running, or the host or port is wrong',
  ],
  ['ENOTFOUND', 'the host name does not exist'],
  ['EAI_AGAIN', 'the host name cannot be looked up. Check the network'],
  ['UND_ERR_SOCKET', 'it was closed before the response was complete'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host does not respond'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the port does not serve https. Use http, or correct the port'],
  ['HPE_INVALID_CONSTANT', 'the response is not HTTP. Use https, or correct the port'],
  ['CERT_HAS_EXPIRED', 'the certificate of the service has expired'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'the certificate of the service is self-signed. Trust it with NODE_EXTRA_CA_CERTS',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the service is for another host name'],
])('explains %s', (code, reason) => {
  expect(failureWith(code)).toBe(`${reason} (${code})`);
});

it('has the message and the code of a cause without an explanation', () => {
  expect(failureWith('E_NEW', 'the moon is full')).toBe('the moon is full (E_NEW)');
  expect(failureWith('E_NEW')).toBe('E_NEW');
  expect(failureWith('E_NEW', 'read E_NEW')).toBe('read E_NEW');
});

it('names CORS_ORIGINS and the origin of the page in a browser', () => {
  const message = describeConnectionFailure('https://api.example/api/v1', failed, 'https://shop.example');
  expect(message).toContain('no response from https://api.example');
  expect(message).toContain('CORS_ORIGINS must contain https://shop.example');
});

it('names mixed content where that is the cause', () => {
  const message = describeConnectionFailure('http://api.example/api/v1', failed, 'https://shop.example');
  expect(message).toContain('mixed content');
});

it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'does not name mixed content for %s, which browsers allow',
  (origin) => {
    expect(describeConnectionFailure(`${origin}/api/v1`, failed, 'https://shop.example')).toContain(
      'CORS_ORIGINS',
    );
  },
);
