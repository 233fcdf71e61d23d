import { createSigner } from '#create-signer';
import type { KeyfrontOptions } from './options.ts';
import { encodeBase64 } from './signing/base64.ts';

/** Returns the headers that authenticate a request with this payload. */
export type Credentials = (payload: Uint8Array) => Promise<Record<string, string>>;

const credentialNames = ['apiKey', 'secretKey', 'signer', 'token'] as const;

/** Reads the credentials in the options, and rejects incomplete ones. */
export function readCredentials(options: KeyfrontOptions): Credentials {
  rejectUndefined(options);
  const { apiKey, secretKey, signer, token } = options;
  if (token !== undefined) {
    if (apiKey !== undefined)
      throw new TypeError('apiKey and token exclude each other: pass only one of them');
    const authorization = `Bearer ${readHeaderText('token', token)}`;
    return async () => ({ authorization });
  }
  if (apiKey === undefined) {
    if (secretKey !== undefined || signer !== undefined) {
      throw new TypeError('apiKey is missing: the service needs it to verify the signature');
    }
    return async () => ({});
  }
  const header = readApiKey(apiKey);
  const requestSigner = signer ?? createSigner(requireSecretKey(secretKey));
  return async (payload) => ({
    'x-auth-apikey': header,
    'x-auth-signature': readHeaderText('The signature', await requestSigner.sign(payload)),
  });
}

/**
 * An option that is present but undefined is a mistake, usually an environment variable that is not set. Ignoring it would
 * silently create a client without credentials.
 */
function rejectUndefined(options: KeyfrontOptions): void {
  const names = credentialNames.filter((name) => name in options && options[name] === undefined);
  if (names.length === 0) return;
  const [verb, source] =
    names.length === 1
      ? ['is', 'the environment variable it comes from']
      : ['are', 'the environment variables they come from'];
  throw new TypeError(
    `${names.join(' and ')} ${verb} undefined: check ${source}, or leave the option out to call public operations only`,
  );
}

function requireSecretKey(secretKey: string | Uint8Array | undefined): string | Uint8Array {
  if (secretKey !== undefined) return secretKey;
  throw new TypeError('secretKey is missing: an apiKey needs a secretKey or a signer');
}

/** The API key as its header carries it. A PEM is encoded in Base64, because a header has only one line. */
function readApiKey(apiKey: string): string {
  const text = apiKey.trim();
  return text.startsWith('-----BEGIN')
    ? encodeBase64(new TextEncoder().encode(text))
    : readHeaderText('apiKey', text.replaceAll(/\s/g, ''));
}

/** Validates a header value here, because the error of `fetch` would quote it. */
function readHeaderText(name: string, value: string): string {
  const text = value.trim();
  if (text === '') throw new TypeError(`${name} must not be empty`);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name} must consist of printable ASCII characters without spaces`);
  }
  return text;
}
