import { secp256k1 } from '@noble/curves/secp256k1.js';
import { needsNonce, signatureToleranceSeconds, writeSignatureBase } from '../generated/bound-signature.ts';
import type { PreparedRequest } from '../requests/prepare-request.ts';
import { decodeBase64, encodeBase64 } from '../signing/base64.ts';
import type { SignatureVerdict } from './check-signature.ts';

export interface BoundSignatureToCheck {
  /** The header `Signature-Input`. */
  readonly signatureInput: string;
  /** The header `Signature`. */
  readonly signature: string;
  /** The point of the API key; null if there is no readable API key. */
  readonly publicKey: Uint8Array | null;
  /** SHA-256 of the API key (SPKI, DER) in hexadecimal; null if there is none. */
  readonly fingerprint: string | null;
  readonly bodySha256: Uint8Array;
  readonly nowMs: number;
}

const inputForm = /^([a-z*][a-z0-9_.*-]*)=(\(("[^"]+"(?: "[^"]+")*)\)(;[\x20-\x7e]*))$/;

/** Checks whether a bound signature covers a request, and if not, finds out what is wrong with it. */
export function checkBoundSignature(
  request: PreparedRequest,
  { signatureInput, signature, publicKey, fingerprint, bodySha256, nowMs }: BoundSignatureToCheck,
): SignatureVerdict {
  const [, label = '', params = '', list = '', parameters = ''] = inputForm.exec(signatureInput.trim()) ?? [];
  if (label === '')
    return invalid(
      'Signature-Input must have the form sig1=("@method" "@target-uri");created=...;keyid="..."',
    );
  const names = list.split(' ').map((name) => name.slice(1, -1));
  const issue =
    findCoverageIssue(request, names) ?? findParameterIssue(request.method, parameters, fingerprint, nowMs);
  if (issue) return invalid(issue);
  const bytes = readBytes(signature, label);
  if (typeof bytes === 'string') return invalid(bytes);
  if (!publicKey) return invalid('The signature cannot be checked without a readable apiKey');

  const covers = (values: Readonly<Record<string, string>>, end = '') => {
    const lines = names.map((name): [string, string] => [name, values[name] ?? '']);
    const base = new TextEncoder().encode(writeSignatureBase(lines, params) + end);
    return verify(bytes, base, publicKey);
  };
  const digest = `sha-256=:${encodeBase64(bodySha256)}:`;
  const values = valuesOf(request, request.url, digest);
  const unknown = names.find((name) => !(name in values));
  if (unknown !== undefined) return invalid(`The component "${unknown}" cannot be checked here`);
  if (covers(values)) return { isValid: true, message: 'The signature is valid' };
  const mistake = [
    ...otherUrls(request.url).map(([url, hint]) => ({ isIt: covers(valuesOf(request, url, digest)), hint })),
    {
      isIt: covers({ ...values, '@method': request.method.toLowerCase() }),
      hint: 'the method was signed in lower case',
    },
    { isIt: covers(values, '\n'), hint: 'a line break was signed at the end' },
  ].find(({ isIt }) => isIt);
  if (mistake) return invalid(`The signature does not match this request: ${mistake.hint}`);
  return invalid(
    'The signature was made with another key or covers another text: compare the signed text with `bound`, line by line. ' +
      'Lines are separated by a line feed, and there is none at the end',
  );
}

function findCoverageIssue({ body }: PreparedRequest, names: readonly string[]): string | null {
  if (!names.includes('@method')) return 'The signature must cover "@method"';
  const coversParts = ['@authority', '@path', '@query'].every((name) => names.includes(name));
  if (!names.includes('@target-uri') && !coversParts)
    return 'The signature must cover "@target-uri", or "@authority", "@path" and "@query"';
  if (body?.length && !names.includes('content-digest'))
    return 'The signature must cover "content-digest", because the request has a body';
  return null;
}

function findParameterIssue(
  method: string,
  parameters: string,
  fingerprint: string | null,
  nowMs: number,
): string | null {
  const [, created] = /;created=(\d+)/.exec(parameters) ?? [];
  if (created === undefined) return 'Signature-Input must have created, in seconds since 1970';
  const age = Math.round(nowMs / 1_000) - Number(created);
  if (Math.abs(age) > signatureToleranceSeconds)
    return `created is ${Math.abs(age)} seconds ${age > 0 ? 'ago' : 'ahead'} by the clock of this machine: at most ${signatureToleranceSeconds} are accepted`;
  const [, keyid] = /;keyid="([^"]*)"/.exec(parameters) ?? [];
  if (keyid === undefined) return 'Signature-Input must have a keyid';
  if (/^[0-9a-f]{64}$/i.test(keyid) && fingerprint !== null && keyid !== fingerprint)
    return 'keyid is not the SHA-256 of the apiKey (SPKI, DER) in lower-case hex';
  if (needsNonce(method) && !/;nonce="[^"]+"/.test(parameters))
    return `Signature-Input must have a nonce, because a ${method} may change something`;
  return null;
}

/** The bytes of a signature, or what is wrong with its header. */
function readBytes(header: string, label: string): Uint8Array | string {
  const text = header.trim();
  const start = `${label}=:`;
  const bytes =
    text.startsWith(start) && text.endsWith(':') ? decodeBase64(text.slice(start.length, -1)) : null;
  if (!bytes) return `Signature must have the form ${label}=:<Base64>:`;
  if (bytes.length === 64) return bytes;
  const form = bytes[0] === 0x30 ? 'it is DER' : `it has ${bytes.length} bytes`;
  return `Signature must be the 64 bytes of r and s: ${form}`;
}

function valuesOf({ method }: PreparedRequest, address: string, digest: string): Record<string, string> {
  const { protocol, host, pathname, search } = new URL(address);
  return {
    '@method': method,
    '@target-uri': address,
    '@authority': host,
    '@scheme': protocol.slice(0, -1),
    '@path': pathname,
    '@query': search || '?',
    '@request-target': pathname + search,
    'content-digest': digest,
  };
}

function otherUrls(url: string): [url: string, hint: string][] {
  const scheme = url.startsWith('https:') ? ['https:', 'http:'] : ['http:', 'https:'];
  const { search } = new URL(url);
  return [
    [
      url.replace(scheme[0] ?? '', scheme[1] ?? ''),
      `the URL was signed with ${scheme[1]}// in place of ${scheme[0]}//`,
    ],
    [url.slice(0, url.length - search.length), 'the URL was signed without its query'],
    [url.replace('/api/v1', ''), 'the URL was signed without /api/v1'],
    [url.replace('/api/v1', '/api/v1/api/v1'), 'the URL was signed with /api/v1 twice'],
  ];
}

function invalid(message: string): SignatureVerdict {
  return { isValid: false, message };
}

function verify(signature: Uint8Array, payload: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, payload, publicKey, { lowS: false });
  } catch {
    // r, s or the point is out of range.
    return false;
  }
}
