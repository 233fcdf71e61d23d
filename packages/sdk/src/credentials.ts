import { createSigner } from '#create-signer';
import type { KeyfrontOptions } from './options.ts';
import type { PreparedRequest } from './requests/prepare-request.ts';
import { encodeBase64 } from './signing/base64.ts';
import { unwrapKey } from './signing/key-bytes.ts';
import type { Signer } from './signing/signer.ts';

/** `bound` signs the method, the address, the body and the time, `simple` only the body or the query. */
export type SignatureForm = 'bound' | 'simple';

export interface Credentials {
  /** The only form in which requests can be signed. Null if the service is to decide. */
  readonly form: SignatureForm | null;
  /** Returns the headers that authenticate a request. */
  readonly authenticate: (request: PreparedRequest, form: SignatureForm) => Promise<Record<string, string>>;
}

const credentialNames = ['apiKey', 'secretKey', 'signer', 'token'] as const;

/** Reads the credentials in the options, and rejects incomplete ones. */
export function readCredentials(options: KeyfrontOptions): Credentials {
  rejectMissing(options);
  const { apiKey, secretKey, signer, token } = options;
  if (token !== undefined) {
    if (apiKey !== undefined)
      throw new TypeError('apiKey and token exclude each other: pass only one of them');
    const authorization = `Bearer ${readHeaderText('token', token)}`;
    // The form does not matter.
    return { form: 'simple', authenticate: async () => ({ authorization }) };
  }
  if (apiKey === undefined) {
    if (secretKey !== undefined || signer !== undefined) {
      throw new TypeError('apiKey is missing: the service needs it to verify the signature');
    }
    return { form: 'simple', authenticate: async () => ({}) };
  }
  const header = readApiKey(apiKey);
  if (signer !== undefined && typeof signer.sign !== 'function') {
    throw new TypeError('signer must be an object with a function sign');
  }
  const requestSigner = signer ?? createKeyPairSigner(header, requireSecretKey(secretKey));
  const sign = async (payload: Uint8Array): Promise<string> => {
    const signature = await requestSigner.sign(payload);
    if (typeof signature !== 'string') {
      throw new TypeError('The signature of the signer must be a string: encode it in Base64');
    }
    return readHeaderText('The signature', signature);
  };
  // Browsers have Web Crypto only on pages with TLS.
  const canBind = globalThis.crypto?.subtle !== undefined && unwrapKey(header) !== null;
  let boundSigner: ReturnType<typeof loadBoundSigner> | undefined;
  return {
    form: readForm(options, canBind),
    authenticate: async (request, form) => {
      if (form === 'simple') {
        return { 'x-auth-apikey': header, 'x-auth-signature': await sign(request.payload) };
      }
      requireBindable(canBind);
      boundSigner ??= loadBoundSigner(header, sign);
      return (await boundSigner)(request);
    },
  };
}

/** A signer that first checks that its two keys are a pair. */
function createKeyPairSigner(apiKey: string, secretKey: string | Uint8Array): Signer {
  const signer = createSigner(secretKey);
  let check: Promise<void> | undefined;
  return {
    sign: async (payload) => {
      check ??= import('./signing/key-pair.ts').then(({ requireKeyPair }) => requireKeyPair(apiKey, signer));
      await check;
      return signer.sign(payload);
    },
  };
}

/** Loaded on demand: most pages send a token. */
async function loadBoundSigner(apiKey: string, sign: (payload: Uint8Array) => Promise<string>) {
  const { createBoundSigner } = await import('./signing/bound-signature.ts');
  return createBoundSigner(apiKey, sign);
}

const forms = ['auto', 'bound', 'simple'];

function readForm(options: KeyfrontOptions, canBind: boolean): SignatureForm | null {
  const { signatures = 'auto' } = options as { signatures?: unknown };
  if (typeof signatures !== 'string' || !forms.includes(signatures)) {
    throw new TypeError("signatures must be 'auto', 'bound' or 'simple'");
  }
  if (signatures === 'bound') requireBindable(canBind);
  if (signatures === 'auto') return canBind ? null : 'simple';
  return signatures as SignatureForm;
}

function requireBindable(canBind: boolean): void {
  if (canBind) return;
  throw new TypeError("signatures: 'bound' needs a public key as the apiKey, and Web Crypto: use https");
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
