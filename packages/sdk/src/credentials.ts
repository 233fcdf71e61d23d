import { createSigner } from '#create-signer';
import type { KeyfrontOptions } from './options.ts';
import { encodeBase64 } from './signing/base64.ts';

/** Returns the headers that authenticate a request with this payload. */
export type Credentials = (payload: Uint8Array) => Promise<Record<string, string>>;

const credentialNames = ['apiKey', 'secretKey', 'signer', 'token'] as const;

/** Reads the credentials in the options, and rejects incomplete ones. */
export function readCredentials(options: KeyfrontOptions): Credentials {
  rejectMissing(options);
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
  if (signer !== undefined && typeof signer.sign !== 'function') {
    throw new TypeError('signer must be an object with a function sign');
  }
  const requestSigner = signer ?? createSigner(requireSecretKey(secretKey));
  return async (payload) => {
    const signature = await requestSigner.sign(payload);
    if (typeof signature !== 'string') {
      throw new TypeError('The signature of the signer must be a string: encode it in Base64');
    }
    return {
      'x-auth-apikey': header,
      'x-auth-signature': readHeaderText('The signature', signature),
    };
  };
}

/**
 * An option that is present but undefined or null is a mistake, usually an environment variable that is not set. Ignoring it
 * would silently create a client without credentials.
 */
function rejectMissing(options: KeyfrontOptions): void {
  const names = credentialNames.filter((name) => name in options && (options[name] ?? null) === null);
  const [first] = names;
  if (!first) return;
  const [verb, source] = names.length === 1 ? ['is', 'it comes'] : ['are', 'they come'];
  throw new TypeError(
    `${names.join(' and ')} ${verb} ${options[first]}: check where ${source} from, such as an environment variable, or leave ` +
      'the option out to call public operations only',
  );
}

function requireSecretKey(secretKey: string | Uint8Array | undefined): string | Uint8Array {
  if (secretKey !== undefined) return secretKey;
  throw new TypeError('secretKey is missing: an apiKey needs a secretKey or a signer');
}

/** The API key as its header carries it. A PEM is encoded in Base64, because a header has only one line. */
function readApiKey(apiKey: string): string {
  const text = requireText('apiKey', apiKey);
  return text.startsWith('-----BEGIN')
    ? encodeBase64(new TextEncoder().encode(text))
    : readHeaderText('apiKey', text.replaceAll(/\s/g, ''));
}

/** Validates a header value here, because the error of `fetch` would quote it. */
function readHeaderText(name: string, value: string): string {
  const text = requireText(name, value);
  if (text === '') throw new TypeError(`${name} must not be empty`);
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name} must consist of printable ASCII characters without spaces`);
  }
  return text;
}

/** JavaScript callers may pass anything. */
function requireText(name: string, value: string): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value.trim();
}
