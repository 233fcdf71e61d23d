import type { Holder as HolderData, OwnedNft } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** The signed-in wallet. */
export class Holder {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Who is signed in. */
  me(options?: CallOptions): Promise<HolderData> {
    return this.#call('GET', '/dapp/users/me', options);
  }

  /** The digital keys of the wallet. */
  nfts(options?: CallOptions): Promise<{ nfts: OwnedNft[] }> {
    return this.#call('GET', '/dapp/users/nfts', options);
  }

  /** Chooses the digital key that calls with a token act for. */
  setPrimaryNft(tokenId: number, options?: CallOptions): Promise<HolderData> {
    return this.#call('PATCH', '/dapp/users/primary-nft', { ...options, body: { tokenId } });
  }
}
