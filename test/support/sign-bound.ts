import { createHash, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';

export interface RequestToBind {
  readonly method: string;
  readonly url: string;
  readonly body?: string | Buffer | undefined;
}

export interface BoundOptions {
  /** In seconds since 1970. The default is now. */
  readonly created?: number;
  readonly keyid?: string;
  /** Null for none. The default is a new one for a request that may change something. */
  readonly nonce?: string | null;
  /** The covered components, in place of `@method`, `@target-uri` and `content-digest`. */
  readonly components?: readonly string[];
  /** More parameters, such as `;tag="x"`. */
  readonly more?: string;
  readonly label?: string;
  readonly dsaEncoding?: 'ieee-p1363' | 'der';
}

/** SHA-256 of the public key (SPKI, DER) in hex. */
export function fingerprintOf(key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex');
}

/** Signs a request as RFC 9421 says. Written by hand, so that it shares no code with the service. */
export function signBound(
  key: KeyObject,
  { method, url, body }: RequestToBind,
  options: BoundOptions = {},
): Record<string, string> {
  const { created = Math.floor(Date.now() / 1000), keyid = fingerprintOf(key), label = 'sig1' } = options;
  const { nonce = method === 'GET' ? null : randomUUID(), dsaEncoding = 'ieee-p1363' } = options;
  const digest = `sha-256=:${createHash('sha256')
    .update(body ?? '')
    .digest('base64')}:`;
  const hasBody = body !== undefined && body.length > 0;
  const components = options.components ?? ['@method', '@target-uri', ...(hasBody ? ['content-digest'] : [])];
  const { host, pathname } = new URL(url);
  const mark = url.indexOf('?');
  const values: Record<string, string> = {
    '@method': method,
    '@target-uri': url,
    '@authority': host,
    '@path': pathname,
    '@query': mark === -1 ? '?' : url.slice(mark),
    'content-digest': digest,
    'content-type': 'application/json',
  };
  const params =
    `(${components.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${keyid}"` +
    (nonce === null ? '' : `;nonce="${nonce}"`) +
    (options.more ?? '');
  const lines = components.map((name) => `"${name}": ${values[name] ?? ''}`);
  const base = [...lines, `"@signature-params": ${params}`].join('\n');
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding });
  return {
    ...(hasBody ? { 'content-digest': digest } : {}),
    'signature-input': `${label}=${params}`,
    signature: `${label}=:${signature.toString('base64')}:`,
  };
}
