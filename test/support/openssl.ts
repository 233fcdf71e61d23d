import { execFileSync } from 'node:child_process';
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
