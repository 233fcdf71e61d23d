import type { Nonce, NonceRequest, SignIn, SignInRequest } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** The two steps of a sign-in; `keyfront.signIn` takes both. */
export class Auth {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Asks for the message that the wallet has to sign. */
  nonce(request: NonceRequest, options?: CallOptions): Promise<Nonce> {
    return this.#call('POST', '/auth/nonce', { ...options, body: request });
  }

  /** Hands in the signed message. It is good once: an answer that is lost on the way takes a new message. */
  signIn(request: SignInRequest, options?: CallOptions): Promise<SignIn> {
    return this.#call('POST', '/auth/signIn', { ...options, body: request });
  }
}
