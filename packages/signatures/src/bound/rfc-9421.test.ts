import { createHmac, createPublicKey, verify } from 'node:crypto';
import { writeSignatureBase } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { readComponent } from './request-components.ts';
import { parseDictionary, serializeInnerList } from './structured-fields.ts';

// The request of RFC 9421, appendix B.2.
const address = { scheme: 'https', authority: 'example.com', path: '/foo', query: 'param=Value&Pet=dog' };
const contentDigest =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';
const rawHeaders = [
  ...['Host', 'example.com'],
  ...['Date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
  ...['Content-Type', 'application/json'],
  ...['Content-Digest', contentDigest],
  ...['Content-Length', '18'],
];

/** The signature base of the request for a `Signature-Input`. */
function baseFor(header: string): string {
  const [list] = [...(parseDictionary(header)?.values() ?? [])];
  if (!list || !('items' in list)) throw new Error('The header is not valid');
  const components = list.items.map(({ value }): [string, string] => {
    const name = String(value.value);
    return [name, readComponent(name, 'POST', address, rawHeaders) ?? ''];
  });
  return writeSignatureBase(components, serializeInnerList(list));
}

describe('the signature base of RFC 9421', () => {
  it('has only the parameters where nothing is covered (B.2.1)', () => {
    const params = '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"';
    expect(baseFor(`sig-b21=${params}`)).toBe(`"@signature-params": ${params}`);
  });

  it('has a line for each component in the order of the list (B.2.3)', () => {
    const params =
      '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length")' +
      ';created=1618884473;keyid="test-key-rsa-pss"';
    expect(baseFor(`sig-b23=${params}`).split('\n')).toEqual([
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@query": ?param=Value&Pet=dog',
      '"@authority": example.com',
      '"content-type": application/json',
      `"content-digest": ${contentDigest}`,
      '"content-length": 18',
      `"@signature-params": ${params}`,
    ]);
  });

  it('is what the signature with HMAC is over (B.2.5)', () => {
    const base = baseFor(
      'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    );
    const secret = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';
    const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(base).digest('base64');
    expect(mac).toBe('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
  });

  it('is what the signature with Ed25519 is over (B.2.6)', () => {
    const base = baseFor(
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")' +
        ';created=1618884473;keyid="test-key-ed25519"',
    );
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
      format: 'jwk',
    });
    const signature =
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
    expect(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it.each([
    ['@target-uri', 'https://example.com/foo?param=Value&Pet=dog'],
    ['@scheme', 'https'],
    ['@request-target', '/foo?param=Value&Pet=dog'],
  ])('has the component %s (2.2)', (name, value) => {
    expect(readComponent(name, 'POST', address, rawHeaders)).toBe(value);
  });

  it('has a question mark for the query of a request without one (2.2.7)', () => {
    expect(readComponent('@query', 'GET', { ...address, query: null }, [])).toBe('?');
  });

  it('joins the values of a header that is sent twice (2.1)', () => {
    const twice = ['X-Empty', '', 'Cache-Control', 'max-age=60 ', 'cache-control', '  must-revalidate'];
    expect(readComponent('cache-control', 'GET', address, twice)).toBe('max-age=60, must-revalidate');
    expect(readComponent('x-empty', 'GET', address, twice)).toBe('');
    expect(readComponent('x-a', 'GET', address, ['X-A', ' abc\u00a0\t'])).toBe('abc\u00a0');
    expect(readComponent('x-missing', 'GET', address, twice)).toBeNull();
  });
});
