import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

export interface OpensslKey {
  /** Where the private key is. */
  readonly file: string;
  /** What goes into `x-auth-apikey`. */
  readonly apiKey: string;
}

const openssl = (args: string[], input?: string | Buffer): Buffer =>
  execFileSync('openssl', args, {
    ...(input === undefined ? {} : { input }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** Creates a key pair with OpenSSL, which is independent of our own code. */
export function makeOpensslKey(folder: string, name: string, algorithm = 'secp256k1'): OpensslKey {
  const file = join(folder, `${name}.pem`);
  if (algorithm === 'ed25519') openssl(['genpkey', '-algorithm', 'ed25519', '-out', file]);
  else openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${algorithm}`, '-out', file]);
  return { file, apiKey: openssl(['pkey', '-in', file, '-pubout']).toString('base64') };
}

/** `openssl dgst -sha256 -sign`, in Base64. */
export function signWithOpenssl({ file }: Pick<OpensslKey, 'file'>, payload: string | Buffer): string {
  return openssl(['dgst', '-sha256', '-sign', file], payload).toString('base64');
}

/** The headers of a Standard Webhooks message, signed by OpenSSL. The secret has the form `whsec_…`. */
export function hmacWithOpenssl(secret: string, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
  const mac = openssl(
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'],
    `${id}.${timestamp}.${body}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${mac.toString('base64')}`,
  };
}
