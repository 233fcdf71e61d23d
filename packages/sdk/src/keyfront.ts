import type { RequestOptions, SignOptions } from './call-options.ts';
import type { Explanation, RequestToExplain } from './explain/explain.ts';
import { ClientResources } from './generated/client-resources.ts';
import { OperationClient } from './operation-client.ts';
import type { KeyfrontOptions } from './options.ts';
import { findOperation } from './requests/find-operation.ts';
import { type SignedRequest, Transport } from './requests/transport.ts';
import { signInWallet, type WalletSignIn } from './sign-in.ts';

/** A client of a Keyfront service. */
export class Keyfront extends ClientResources {
  // Private fields: neither JSON.stringify nor util.inspect shows the credentials.
  readonly #options: KeyfrontOptions;
  readonly #transport: Transport;

  /** @throws TypeError if an option is invalid, or if a credential is present but undefined. */
  constructor(options: KeyfrontOptions) {
    const transport = new Transport(options);
    super(new OperationClient(transport));
    this.#options = options;
    this.#transport = transport;
  }

  /** The URL that paths are appended to. */
  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /**
   * Calls any operation: signs, sends and retries the request, and returns the `data` of the response.
   *
   * A request that matches no known operation is repeated if its method is idempotent (GET, HEAD, PUT, DELETE), or if it is
   * a POST with an `idempotencyKey`. A PATCH is not.
   */
  async request<Data>(method: string, path: string, options: RequestOptions = {}): Promise<Data> {
    const { retry, isPublic } = findOperation(method, path) ?? {};
    return this.#transport.send<Data>({ ...options, method, path, retry, isPublic });
  }

  /**
   * Returns everything that `request` would send, for use with another HTTP client. Sends nothing.
   *
   * The signature is bound: the service accepts it for five minutes, for this request only, and a change only once. Pass
   * `signatures: 'simple'` for `x-auth-apikey` and `x-auth-signature`, which stay valid for as long as the key.
   */
  sign(method: string, path: string, { signatures, ...options }: SignOptions = {}): Promise<SignedRequest> {
    const request = { ...options, method, path, retry: findOperation(method, path)?.retry };
    return this.#transport.sign(request, signatures);
  }

  /** Signs a wallet in, and returns a client that sends its token. */
  async signIn(wallet: WalletSignIn): Promise<Keyfront> {
    const token = await signInWallet(this.auth, wallet);
    const { apiKey: _apiKey, secretKey: _secretKey, signer: _signer, ...common } = this.#options;
    return new Keyfront({ ...common, token });
  }

  /** Explains what is signed, byte by byte, and what is wrong with a rejected signature. Sends nothing. */
  async explain(request: RequestToExplain): Promise<Explanation> {
    // Loaded on demand: it is rarely needed, and it includes the curve arithmetic.
    const { explain } = await import('./explain/explain.ts');
    return explain(this.#options, request);
  }
}
