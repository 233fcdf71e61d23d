import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';

/** The demo credentials, as the service writes them to `demo.json`. */
export interface Credentials {
  readonly holders: readonly {
    readonly walletPrivateKey: string;
    readonly apiKey: string;
    readonly secretKey: string;
  }[];
  readonly admin: { readonly walletPrivateKey: string };
}

/** Somebody who can call the service. */
export interface Identity {
  readonly kind: 'signature' | 'token' | 'administrator';
  /** The headers of a request with this payload. */
  readonly authenticate: (payload: Uint8Array) => Readonly<Record<string, string>>;
  /** Signs in again, after a request may have ended the session. */
  readonly renew?: () => Promise<void>;
}

export interface SignedIn {
  readonly identities: readonly Identity[];
  /** The ids of the API keys of the identities. */
  readonly keyIds: readonly string[];
}

const emptyPayload = Buffer.from('{}');

/** Signs in every holder and the administrator. */
export async function signInAll({ holders, admin }: Credentials, baseUrl: string): Promise<SignedIn> {
  const identities: Identity[] = [];
  const keyIds: string[] = [];
  for (const { apiKey, secretKey, walletPrivateKey } of holders) {
    identities.push(signingIdentity(apiKey, secretKey));
    const holder = await bearerIdentity('token', () => signIn(baseUrl, walletPrivateKey, 'dapp'));
    identities.push(holder);
    const { keys } = await call<{ keys: { id: string }[] }>(`${baseUrl}/keys?take=1000`, {
      headers: holder.authenticate(emptyPayload),
    });
    keyIds.push(...keys.map(({ id }) => id));
  }
  const signInAdministrator = () => signIn(baseUrl, admin.walletPrivateKey, 'admin');
  identities.push(await bearerIdentity('administrator', signInAdministrator));
  return { identities, keyIds };
}

/** Somebody with a key that the service has never seen. */
export function makeUpIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const encode = (pem: string | Buffer) => Buffer.from(pem).toString('base64');
  return signingIdentity(
    encode(publicKey.export({ type: 'spki', format: 'pem' })),
    encode(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  );
}

function signingIdentity(apiKey: string, secretKey: string): Identity {
  const privateKey = createPrivateKey(Buffer.from(secretKey, 'base64').toString());
  const signPayload = (payload: Uint8Array) => sign('sha256', payload, privateKey).toString('base64');
  // Every other request has no query and no body.
  const emptySignature = signPayload(emptyPayload);
  return {
    kind: 'signature',
    authenticate: (payload) => ({
      'x-auth-apikey': apiKey,
      'x-auth-signature': emptyPayload.equals(payload) ? emptySignature : signPayload(payload),
    }),
  };
}

async function bearerIdentity(kind: Identity['kind'], getToken: () => Promise<string>): Promise<Identity> {
  let token = await getToken();
  return {
    kind,
    authenticate: () => ({ authorization: `Bearer ${token}` }),
    renew: async () => {
      token = await getToken();
    },
  };
}

async function signIn(baseUrl: string, walletPrivateKey: string, type: string): Promise<string> {
  const account = privateKeyToAccount(walletPrivateKey as `0x${string}`);
  const { message } = await post<{ message: string }>(`${baseUrl}/auth/nonce`, {
    walletAddress: account.address,
    type,
  });
  const signature = await account.signMessage({ message });
  return (await post<{ token: string }>(`${baseUrl}/auth/signIn`, { message, signature })).token;
}

function post<Data>(url: string, body: object): Promise<Data> {
  const headers = { 'content-type': 'application/json' };
  return call(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function call<Data>(url: string, init: RequestInit): Promise<Data> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
}
