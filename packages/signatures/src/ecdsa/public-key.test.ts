import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PublicKeyCache, parsePublicKey } from './public-key.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const der = exportSpki(pair.publicKey);
const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const pemBody = pem.replace(/-----.*-----\n/g, '');
const compressedPrefix = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');
const compressed = Buffer.concat([
  compressedPrefix,
  Buffer.from([2 + ((der.at(-1) ?? 0) & 1)]),
  der.subarray(24, 56),
]);

function exportSpki(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' });
}

function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString('base64');
}

function withPoint(point: Buffer): string {
  return base64(Buffer.concat([der.subarray(0, 23), point]));
}

/** Breaks a text into lines as the command `base64` does. */
function wrapLines(text: string, lineEnd: string): string {
  return text.replace(/.{76}/g, `$&${lineEnd}`);
}

function reasonOf(text: string): string {
  const result = parsePublicKey(text);
  if (result.ok) throw new Error('the key was accepted');
  return result.reason;
}

describe('accepted forms of one key', () => {
  it.each([
    ['Base64 of the PEM', base64(pem)],
    ['Base64 of the PEM without the last line break', base64(pem.trimEnd())],
    ['CRLF', base64(pem.replaceAll('\n', '\r\n'))],
    ['CR', base64(pem.replaceAll('\n', '\r'))],
    ['spaces instead of line breaks', base64(pem.replaceAll('\n', ' '))],
    ['no line breaks', base64(pem.replaceAll('\n', ''))],
    ['literal \\n', base64(pem.replaceAll('\n', '\\n'))],
    ['literal \\r\\n', base64(pem.replaceAll('\n', '\\r\\n'))],
    ['one long line', base64(`-----BEGIN PUBLIC KEY-----\n${base64(der)}\n-----END PUBLIC KEY-----`)],
    ['spaces and quotes inside', base64(`\n "${pem}" \n`)],
    ['Base64 of the DER', base64(der)],
    ['the body of the PEM', pemBody.trim()],
    ['the body of the PEM with spaces', pemBody.trim().replaceAll('\n', ' ')],
    ['Base64 of the body of the PEM', base64(pemBody)],
    ['Base64 of the body of the PEM in one line', base64(base64(der))],
    ['without padding', base64(pem).replaceAll('=', '')],
    ['DER without padding', base64(der).replaceAll('=', '')],
    ['base64url', Buffer.from(pem).toString('base64url')],
    ['DER as base64url', der.toString('base64url')],
    ['padded base64url', base64(der).replaceAll('+', '-').replaceAll('/', '_')],
    ['wrapped with LF', wrapLines(base64(pem), '\n')],
    ['wrapped with CRLF', wrapLines(base64(pem), '\r\n')],
    ['wrapped with spaces', wrapLines(base64(pem), ' ')],
    ['wrapped with literal \\n', wrapLines(base64(pem), '\\n')],
    ['surrounding spaces', `  \t${base64(pem)} `],
    ['surrounding double quotes', `"${base64(pem)}"`],
    ['surrounding single quotes and spaces', ` '${base64(pem)}' `],
    ['compressed point', base64(compressed)],
    [
      'compressed point in a PEM',
      base64(`-----BEGIN PUBLIC KEY-----\n${base64(compressed)}\n-----END PUBLIC KEY-----\n`),
    ],
  ])('%s', (_form, text) => {
    expect(parsePublicKey(text)).toEqual({
      ok: true,
      key: {
        spki: der,
        fingerprint: createHash('sha256').update(der).digest('hex'),
        point: der.subarray(23),
      },
    });
  });

  it('decompresses points with either parity as OpenSSL does', () => {
    for (let round = 0; round < 50; round++) {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const x = exportSpki(publicKey).subarray(24, 56);
      for (const parity of [2, 3]) {
        const sent = Buffer.concat([compressedPrefix, Buffer.from([parity]), x]);
        const result = parsePublicKey(base64(sent));
        const { x: jwkX, y } = createPublicKey({ key: sent, format: 'der', type: 'spki' }).export({
          format: 'jwk',
        });
        if (!result.ok) throw new Error(result.reason);
        expect(Buffer.from(result.key.point.subarray(1, 33)).toString('base64url')).toBe(jwkX);
        expect(Buffer.from(result.key.point.subarray(33)).toString('base64url')).toBe(y);
      }
    }
  });
});

describe('rejected values', () => {
  const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ed25519 = generateKeyPairSync('ed25519');
  const otherCurve = (namedCurve: string) =>
    base64(exportSpki(generateKeyPairSync('ec', { namedCurve }).publicKey));
  const explicit = generateKeyPairSync('ec', { namedCurve: 'secp256k1', paramEncoding: 'explicit' });
  const prime = (2n ** 256n - 2n ** 32n - 977n).toString(16);
  const flipped = Buffer.from(der);
  flipped[87] = (flipped[87] ?? 0) ^ 1;
  const hybrid = Buffer.from(der.subarray(23));
  hybrid[0] = 6 + ((der.at(-1) ?? 0) & 1);

  it.each([
    ['a PEM encoded twice', base64(base64(pem)), /encoded twice/],
    ['a bare PEM', pem.replaceAll('\n', ' '), /a PEM that is not Base64-encoded/],
    ['hex', der.toString('hex'), /it is hex/],
    ['hex with 0x', `0x${der.toString('hex')}`, /it is hex/],
    ['a stray character', base64(pem).replace('L', '*'), /not Base64/],
    ['mixed alphabets', '+_+_', /not Base64/],
    ['too many equal signs', `${base64(der).replaceAll('=', '')}===`, /not Base64/],
    ['an empty text', '', /something else/],
    ['a text', base64('my secret key'), /something else/],
    ['a token', 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', /not Base64/],
    ['a very long text', 'A'.repeat(8193), /too long/],
    ['P-256', base64(exportSpki(p256.publicKey)), /it is on the curve P-256/],
    [
      'P-256 in a PEM',
      base64(p256.publicKey.export({ format: 'pem', type: 'spki' })),
      /it is on the curve P-256/,
    ],
    ['P-384', otherCurve('secp384r1'), /it is on the curve P-384/],
    ['P-521', otherCurve('secp521r1'), /it is on the curve P-521/],
    ['another curve', otherCurve('brainpoolP256r1'), /it is on another curve/],
    ['explicit parameters', base64(exportSpki(explicit.publicKey)), /must name the curve/],
    ['Ed25519', base64(ed25519.publicKey.export({ format: 'pem', type: 'spki' })), /it is an Ed25519 key/],
    ['X25519', base64(exportSpki(generateKeyPairSync('x25519').publicKey)), /it is an X25519 key/],
    ['RSA', base64(rsa.publicKey.export({ format: 'pem', type: 'spki' })), /it is an RSA key/],
    ['RSA in PKCS#1', base64(rsa.publicKey.export({ format: 'pem', type: 'pkcs1' })), /it is an RSA key/],
    ['RSA in PKCS#1 DER', base64(rsa.publicKey.export({ format: 'der', type: 'pkcs1' })), /it is an RSA key/],
    [
      'a PKCS#8 private key',
      base64(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })),
      /it is a private key/,
    ],
    ['its DER', base64(pair.privateKey.export({ format: 'der', type: 'pkcs8' })), /it is a private key/],
    [
      'a SEC1 private key',
      base64(pair.privateKey.export({ format: 'pem', type: 'sec1' })),
      /it is a private key/,
    ],
    ['its DER', base64(pair.privateKey.export({ format: 'der', type: 'sec1' })), /it is a private key/],
    [
      'a bare private PEM',
      pair.privateKey.export({ format: 'pem', type: 'sec1' }).toString(),
      /it is a private key/,
    ],
    [
      'an RSA private key',
      base64(rsa.privateKey.export({ format: 'der', type: 'pkcs1' })),
      /it is a private key/,
    ],
    [
      'an encrypted private key',
      base64(
        pair.privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
      ),
      /it is a private key/,
    ],
    [
      'a certificate by its label',
      base64(pem.replaceAll('PUBLIC KEY', 'CERTIFICATE')),
      /it is a certificate/,
    ],
    ['another label', base64(pem.replaceAll('PUBLIC KEY', 'EC PARAMETERS')), /labelled EC PARAMETERS/],
    ['labels that differ', base64(pem.replace('END PUBLIC', 'END OTHER')), /damaged/],
    ['a PEM without an end', base64(pem.slice(0, -30)), /damaged/],
    ['two PEMs', base64(pem + pem), /damaged or has other text around it/],
    ['text before the PEM', base64(`-----BEGIN KEY: ${pem}`), /damaged/],
    ['a bare point', base64(der.subarray(23)), /bare point/],
    ['32 bytes', base64(Buffer.alloc(32, 1)), /secret or a hash/],
    ['bytes after the DER', base64(Buffer.concat([der, Buffer.from([0])])), /other bytes follow it/],
    ['truncated DER', base64(der.subarray(0, 80)), /damaged/],
    [
      'a DER with a long length',
      base64(Buffer.concat([Buffer.from([0x30, 0x81]), der.subarray(1)])),
      /damaged/,
    ],
    ['a signature', base64(Buffer.from('3006020101020102', 'hex')), /looks like a signature/],
    ['a hybrid point', withPoint(hybrid), /a point on the curve/],
    ['a point that is not on the curve', base64(flipped), /a point on the curve/],
    [
      'the coordinates zero',
      withPoint(Buffer.concat([Buffer.from([4]), Buffer.alloc(64)])),
      /a point on the curve/,
    ],
    [
      'x as large as the prime',
      withPoint(Buffer.from(`04${prime}${'0'.repeat(64)}`, 'hex')),
      /a point on the curve/,
    ],
    [
      'a compressed x without a y',
      base64(Buffer.concat([compressedPrefix, Buffer.from(`02${'0'.repeat(63)}5`, 'hex')])),
      /a point on the curve/,
    ],
    [
      'the point at infinity',
      base64(Buffer.from('3016301006072a8648ce3d020106052b8104000a03020000', 'hex')),
      /wrong form/,
    ],
  ])('%s', (_what, text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  it('never accepts or repeats a private key', () => {
    const secret = pair.privateKey.export({ format: 'jwk' }).d ?? '';
    const text = base64(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    expect(reasonOf(text)).toContain('must never be sent');
    expect(reasonOf(text)).not.toContain(secret.slice(0, 8));
  });

  // A pattern that backtracks would exceed the time limit of the test by far.
  it('rejects text that was made to be slow to parse', () => {
    for (const text of [
      '"'.repeat(8192),
      `A${' "'.repeat(4000)}A`,
      '\\n'.repeat(4096),
      base64('-----BEGIN A'.repeat(500)),
    ]) {
      expect(parsePublicKey(text).ok).toBe(false);
    }
  });
});

describe('PublicKeyCache', () => {
  function createHeader(): string {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    return base64(publicKey.export({ format: 'pem', type: 'spki' }));
  }

  function parse(keys: PublicKeyCache, header: string) {
    const result = keys.parse(header);
    if (!result.ok) throw new Error(result.reason);
    return result.key;
  }

  it('returns the same key for the same text without parsing it again', () => {
    const keys = new PublicKeyCache();
    const header = createHeader();
    expect(parse(keys, header)).toBe(parse(keys, header));
    expect(parse(keys, ` ${header}`).fingerprint).toBe(parse(keys, header).fingerprint);
  });

  it('holds no more than its limit', () => {
    const keys = new PublicKeyCache(4);
    const [a, b, c, d, e] = [createHeader(), createHeader(), createHeader(), createHeader(), createHeader()];
    const firstA = parse(keys, a);
    for (const header of [b, c, d, e]) parse(keys, header);
    expect(keys.size).toBeLessThanOrEqual(4);
    expect(parse(keys, a)).not.toBe(firstA);
  });

  it('caches neither rejections nor very long headers', () => {
    const keys = new PublicKeyCache();
    expect(keys.parse('nonsense!').ok).toBe(false);
    expect(keys.parse(createHeader() + ' '.repeat(2000)).ok).toBe(true);
    expect(keys.size).toBe(0);
  });
});
