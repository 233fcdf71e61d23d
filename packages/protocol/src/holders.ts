import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from './values.ts';

const tokenId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1001] });

/** A digital key as it stands in answers. */
export const Nft = Type.Object({ tokenId });

export const Holder = Type.Object({
  id: Uuid('Identifies the holder'),
  walletAddress: Type.String({ description: 'With its checksum (EIP-55)' }),
  email: Nullable(Type.String()),
  primaryNft: Nullable(Nft),
  createdAt: Timestamp('When the wallet was first seen'),
});
export type Holder = Static<typeof Holder>;

export const OwnedNft = Type.Object({
  tokenId,
  isPrimary: Type.Boolean({ description: 'Whether it scopes the calls made with a JWT, and new API keys' }),
  planet: Type.Object({
    number: Type.Integer({ examples: [7] }),
    name: Type.String({ examples: ['Verdane'] }),
  }),
  acquiredAt: Timestamp('Since when the holder owns it'),
});
export type OwnedNft = Static<typeof OwnedNft>;

export const OwnedNftList = Type.Object({ nfts: Type.Array(OwnedNft) });

export const PrimaryNftChange = Type.Object({ tokenId });
