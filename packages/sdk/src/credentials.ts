import { createSigner } from '#create-signer';
import type { KeyfrontOptions } from './options.ts';
import { encodeBase64 } from './signing/base64.ts';

/** The headers that say who calls, for a payload to be signed. */
export type Credentials = (payload: Uint8Array) => Promise<Record<string, string>>;

/** What the options say about who calls. */
export function readCredentials({ apiKey, secretKey, signer, token }: KeyfrontOptions): Credentials {
  if (token !== undefined) {
    const authorization = `Bearer ${readHeaderText('token', token)}`;
    return async () => ({ authorization });
  }
  if (apiKey === undefined) {
    if (secretKey !== undefined || signer !== undefined) {
      throw new TypeError('apiKey is missing: a signature alone does not say whose it is');
    }
    return async () => ({});
  }
  const header = readApiKey(apiKey);
  const signing = signer ?? createSigner(secretKey);
  return async (payload) => ({
    'x-auth-apikey': header,
    'x-auth-signature': readHeaderText('The signature', await signing.sign(payload)),
  });
}

/** The key as it stands in its header; a PEM is put into Base64, since a header has one line. */
function readApiKey(apiKey: string): string {
  const text = apiKey.trim();
  return text.startsWith('-----BEGIN')
    ? encodeBase64(new TextEncoder().encode(text))
    : readHeaderText('apiKey', text.replaceAll(/\s/g, ''));
}

/** Checked here, since `fetch` shows in its error the whole header that it does not like. */
function readHeaderText(name: string, value: string): string {
  const text = value.trim();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`${name} must be printable ASCII without blanks`);
  return text;
}
