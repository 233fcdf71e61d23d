import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { has, needs } from '../../../../test/support/requirements.ts';
import { parsePublicKey } from '../ecdsa/public-key.ts';
import { loadLibsecp256k1Verifier, verifyWithNodeCrypto } from '../ecdsa/verifiers.ts';
import { SimpleVerifier } from './simple-verifier.ts';

const hasOpenssl = has('OpenSSL');
const folder = hasOpenssl ? mkdtempSync(join(tmpdir(), 'keyfront-openssl-')) : '';
const keyFile = join(folder, 'key.pem');

afterAll(() => {
  if (hasOpenssl) rmSync(folder, { recursive: true });
});

function openssl(args: readonly string[], input: string | Buffer = ''): Buffer {
  return execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] });
}

describe('keys and signatures of the openssl command', needs('OpenSSL'), () => {
  if (!hasOpenssl) return;
  writeFileSync(keyFile, openssl(['ecparam', '-genkey', '-name', 'secp256k1', '-noout']));
  const apiKeyHeader = openssl(['ec', '-in', keyFile, '-pubout']).toString('base64');
  const libsecp256k1 = loadLibsecp256k1Verifier();
  const verifiers = [
    { name: 'node:crypto', verifier: verifyWithNodeCrypto },
    ...(libsecp256k1 ? [{ name: 'libsecp256k1', verifier: libsecp256k1 }] : []),
  ];

  describe.each(verifiers)('$name', ({ verifier }) => {
    const requests = new SimpleVerifier({ verifier });

    it.each([
      ['GET', null, null, '{}'],
      ['GET', 'page=1&take=10', null, 'page=1&take=10'],
      ['GET', 'search=a%20b', null, 'search=a+b'],
      ['DELETE', null, null, '{}'],
      ['POST', null, '{"clientId":"Zoë"}', '{"clientId":"Zoë"}'],
      ['PATCH', null, '{ "clientId" : "x" }', '{"clientId":"x"}'],
    ])('%s %s %s, signed over %s', (method, query, body, signed) => {
      const signature = openssl(['dgst', '-sha256', '-sign', keyFile], signed);
      const result = requests.verify({
        apiKeyHeader,
        signatureHeader: signature.toString('base64'),
        request: { method, query, body: body === null ? null : Buffer.from(body) },
      });
      expect(result.ok).toBe(true);
    });

    it('rejects a signature over another hash', () => {
      const signature = openssl(['dgst', '-sha512', '-sign', keyFile], '{}').toString('base64');
      const request = { method: 'GET', query: null, body: null };
      const result = requests.verify({ apiKeyHeader, signatureHeader: signature, request });
      expect(result.ok).toBe(false);
    });

    it('verifies signatures of all lengths', { tags: ['long'] }, () => {
      for (let round = 0; round < 40; round++) {
        const signature = openssl(['dgst', '-sha256', '-sign', keyFile], `n=${round}`).toString('base64url');
        const request = { method: 'GET', query: `n=${round}`, body: null };
        const result = requests.verify({ apiKeyHeader, signatureHeader: signature, request });
        expect(result.ok).toBe(true);
      }
    });
  });

  it('gives all encodings of a key the same fingerprint', () => {
    const encodings = [
      openssl(['ec', '-in', keyFile, '-pubout', '-outform', 'DER']),
      openssl(['ec', '-in', keyFile, '-pubout', '-conv_form', 'compressed']),
      openssl(['ec', '-in', keyFile, '-pubout', '-conv_form', 'compressed', '-outform', 'DER']),
      openssl(['pkey', '-in', keyFile, '-pubout']),
    ].map((bytes) => bytes.toString('base64'));
    const fingerprints = [apiKeyHeader, ...encodings].map((text) => {
      const parsed = parsePublicKey(text);
      return parsed.ok ? parsed.key.fingerprint : parsed.reason;
    });
    expect(new Set(fingerprints).size).toBe(1);
    expect(fingerprints[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['P-256', ['ecparam', '-genkey', '-name', 'prime256v1', '-noout'], /on the curve P-256/],
    ['Ed25519', ['genpkey', '-algorithm', 'ed25519'], /an Ed25519 key/],
    ['RSA', ['genrsa', '1024'], /an RSA key/],
  ])('rejects a key of %s, public and private', (_kind, args, reason) => {
    const privatePem = openssl(args);
    const publicPem = openssl(['pkey', '-pubout'], privatePem);
    expect(parsePublicKey(publicPem.toString('base64'))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(reason),
    });
    expect(parsePublicKey(privatePem.toString('base64'))).toMatchObject({
      ok: false,
      reason: expect.stringContaining('it is a private key'),
    });
  });

  it.each([
    ['with its parameters', ['ecparam', '-genkey', '-name', 'secp256k1'], 'it is a private key'],
    ['a hybrid point', ['ec', '-in', keyFile, '-pubout', '-conv_form', 'hybrid'], 'on the curve'],
    [
      'explicit parameters',
      ['ec', '-in', keyFile, '-pubout', '-param_enc', 'explicit'],
      'must name the curve',
    ],
    ['a certificate', ['req', '-x509', '-key', keyFile, '-subj', '/CN=x'], 'it is a certificate'],
    [
      'a certificate in DER',
      ['req', '-x509', '-key', keyFile, '-subj', '/CN=x', '-outform', 'DER'],
      'it is a certificate',
    ],
    ['a certificate request', ['req', '-new', '-key', keyFile, '-subj', '/CN=x'], 'it is a certificate'],
    ['a private key in DER', ['ec', '-in', keyFile, '-outform', 'DER'], 'it is a private key'],
  ])('rejects %s', (_kind, args, reason) => {
    expect(parsePublicKey(openssl(args).toString('base64'))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });
});
